import { createInterface } from 'node:readline';
import type { Ask } from '@toolpost/host';
import { type FormField, fieldsOf, promptOf, readField } from './form-field.ts';
import { createTerminalQuestions, type TerminalQuestions } from './terminal-questions.ts';
import { visibleText } from './terminal-text.ts';

type Form = Parameters<Ask>[0];
type Answer = Awaited<ReturnType<Ask>>;

const DECLINE = '/no';
const MAX_MESSAGE = 2000;

/**
 * Asks what a tool wants to know, field by field, where nobody else reads the terminal: it is held only as long as a form is
 * open, and stdout is not written. The end of the input, or of the call, is a cancel.
 */
export function createAskAtTerminal(abortSignal: AbortSignal): Ask {
  let queue: Promise<unknown> = Promise.resolve();
  const askNow = async (form: Form) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const questions = createTerminalQuestions(lines, (text) => void process.stderr.write(text));
    try {
      return await askForm(questions, form, abortSignal);
    } finally {
      lines.close();
    }
  };
  return (form) => {
    const answer = queue.then(() => askNow(form));
    queue = answer.catch(() => undefined);
    return answer;
  };
}

async function askForm(
  questions: TerminalQuestions,
  { message, schema }: Form,
  abortSignal: AbortSignal,
): Promise<Answer> {
  const fields = fieldsOf(schema);
  const how = fields.length === 0 ? 'y = yes, n = no' : `empty = the default or nothing, ${DECLINE} = decline`;
  questions.say(`\u001b[0mThe tool asks: ${visibleText(message.slice(0, MAX_MESSAGE))}\n  (${how}, Ctrl-C = cancel)\n`);
  if (fields.length === 0) return confirm(await questions.ask('  y or n: ', abortSignal));
  const content: [string, unknown][] = [];
  for (const field of fields) {
    const answer = await askField(questions, field, abortSignal);
    if (answer === 'cancel' || answer === 'decline') return { action: answer };
    if (answer) content.push([field.name, answer.value]);
  }
  return { action: 'accept', content: Object.fromEntries(content) };
}

function confirm(said: string | undefined): Answer {
  if (said === undefined) return { action: 'cancel' };
  return /^\s*y(es)?\s*$/i.test(said) ? { action: 'accept', content: {} } : { action: 'decline' };
}

/** Asks until the answer fits. */
async function askField(
  questions: TerminalQuestions,
  field: FormField,
  abortSignal: AbortSignal,
): Promise<{ value: unknown } | 'cancel' | 'decline' | undefined> {
  for (;;) {
    const said = await questions.ask(promptOf(field), abortSignal);
    if (said === undefined) return 'cancel';
    if (said.trim() === DECLINE) return 'decline';
    const answer = readField(field, said);
    if (!answer || 'value' in answer) return answer;
    questions.say(`  ${answer.problem}\n`);
  }
}
