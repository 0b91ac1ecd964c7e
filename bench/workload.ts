/** The work of the in-process bench: a tool of three arguments that gives a short text. */
export interface Greeting {
  readonly name: string;
  readonly times: number;
  readonly isLoud?: boolean | undefined;
}

export const GREETING_ARGUMENTS = '{"name":"Ada Lovelace","times":2,"isLoud":false}';

export function greet({ name, times, isLoud }: Greeting): string {
  const text = 'Hello, '.repeat(times) + name;
  return isLoud ? text.toUpperCase() : text;
}

/** Arguments and answer of the stdio bench: `text` of so many characters, which comes back. */
export function textOfLength(length: number): string {
  return 'The quick brown fox jumps over the lazy dog, 0123456789. '.repeat(Math.ceil(length / 57)).slice(0, length);
}
