import { CodeError } from '../code-error.ts';
import type { Failure } from '../messages.ts';
import { SOURCE_NAME } from './compile.ts';

/** A function made of text has two lines before its own first one. */
const LINES_BEFORE = 2;

/** Says what was thrown, and in which line of the interface's code. */
export function toFailure(error: unknown, phase: Failure['phase']): Failure {
  if (error instanceof CodeError) {
    const { line } = error;
    return { phase: error.phase, message: error.message, ...(line !== undefined && { line }) };
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  const line = error instanceof Error ? lineOf(error.stack ?? '') : undefined;
  return { phase, message: plainMessage(message), ...(line !== undefined && { line }) };
}

function lineOf(stack: string): number | undefined {
  const found = new RegExp(`${SOURCE_NAME.replace('.', '\\.')}:(\\d+)`).exec(stack)?.[1];
  const line = found === undefined ? 0 : Number(found) - LINES_BEFORE;
  return line > 0 ? line : undefined;
}

/** React names its errors by numbers in what is built for use. These are the ones that an interface meets. */
const REACT_ERRORS: Readonly<Record<string, string>> = {
  '31': 'an object stands where text or an element is expected: show one of its fields, or JSON.stringify it',
  '130': 'something that is used as an element is undefined: check the name after "<" and what is imported',
  '300': 'a hook is called in one drawing and not in the next: call hooks at the top of the component, in no condition',
  '301': 'the state is set while drawing, again and again: set it in an event or an effect',
  '310': 'a hook is called in one drawing and not in the next: call hooks at the top of the component, in no condition',
  '185': 'the state is set in each update, again and again: check the dependencies of the effects',
};

function plainMessage(message: string): string {
  const code = /Minified React error #(\d+)/.exec(message)?.[1];
  return (code !== undefined && REACT_ERRORS[code]) || message.replace(/; visit https:\S+ for the full message.*/s, '');
}
