import { messageOf } from '@toolpost/protocol';
/** The JSON value of a hand-written file, or what is wrong with it and where. A byte order mark is skipped. */
export function parseJsonText(text: string): { value: unknown } | { problem: string } {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { value: JSON.parse(body) };
  } catch (error) {
    const message = messageOf(error);
    const before = body.slice(0, errorPosition(body, message)).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    return { problem: `not JSON at line ${before.length}, column ${column}: ${reasonIn(message)}` };
  }
}

/** V8 quotes the surroundings of a mistake, which in a configuration may be a secret: only the reason is kept. */
function reasonIn(message: string): string {
  return /^(Unexpected token (?:'.'|.)|.*?)(?:, .*| in JSON.*| after JSON.*)?$/su.exec(message)?.[1] ?? message;
}

function errorPosition(text: string, message: string): number {
  const told = /at position (\d+)/.exec(message);
  if (told) return Number(told[1]);
  return message.startsWith('Unexpected token') ? unexpectedTokenPosition(text) : text.length;
}

/**
 * V8 does not say where an unexpected token is. A beginning of the text that stops before it fails for being cut, a
 * longer one for the token: the border is found by halving.
 */
function unexpectedTokenPosition(text: string): number {
  let cut = 0;
  let unexpected = text.length;
  while (unexpected - cut > 1) {
    const middle = (cut + unexpected) >>> 1;
    if (failsForToken(text.slice(0, middle))) unexpected = middle;
    else cut = middle;
  }
  return cut;
}

function failsForToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token');
  }
}
