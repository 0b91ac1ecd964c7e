import { type JsonObject, nearNames, quoteValue } from '@toolpost/protocol';

const MAX_QUOTED = 5;
const MAX_KEYS = 50;
const FIELDS = ['tools', 'hooks', 'enrichers', 'channelProvider', 'protocolVersion'];
const EXPECTED = 'the answer to activate is one line, like {"tools":[{"name":"greet","description":"Greets."}]}';

/** What a plugin wrote on stdout that is no answer, as long as it owes the one to `activate`. */
export interface StartNoise {
  /** A text, or the object of a line of JSON. */
  add(line: unknown): void;
  /** For the message when no answer came; empty when nothing was ignored. */
  describe(): string;
}

/** Keeps the first lines, quoted, and counts the others: a plugin may write without end. */
export function createStartNoise(logPath: string): StartNoise {
  const quoted: string[] = [];
  let count = 0;
  return {
    add(line) {
      if (count++ < MAX_QUOTED) quoted.push(quoteValue(line));
    },
    describe() {
      if (count === 0) return '';
      const more = count > quoted.length ? [`and ${count - quoted.length} more`] : [];
      const lines = [...quoted, ...more].map((line) => `\n  ${line}`).join('');
      return `. What it wrote on stdout was ignored, as it is no answer:${lines}\nExpected: ${EXPECTED}. Its log is ${logPath}`;
    },
  };
}

/** The field that was probably meant by a key that an answer to `activate` does not have; undefined when all is well. */
export function misnamedField(message: JsonObject): string | undefined {
  for (const key of Object.keys(message).slice(0, MAX_KEYS)) {
    const [meant] = FIELDS.includes(key) || key === 'channel_provider' ? [] : nearNames(key, FIELDS);
    if (meant !== undefined && (message[meant] ?? undefined) === undefined) {
      return `unknown field ${quoteValue(key)}: did you mean "${meant}"?`;
    }
  }
  return undefined;
}

/** The fields of an answer to `activate` that stand inside its `result`, where they are not looked for, by their right names. */
export function wrappedFields({ result, ...message }: JsonObject): string[] {
  if (typeof result !== 'object' || result === null || FIELDS.some((field) => field in message)) return [];
  return Object.keys(result)
    .slice(0, MAX_KEYS)
    .flatMap((key) => nearNames(key, FIELDS));
}
