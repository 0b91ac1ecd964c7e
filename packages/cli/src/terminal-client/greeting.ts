import type { Conversation } from '../conversation.ts';
import { type Line, renderLine, span } from './draw/line.ts';
import { shortModel } from './draw/status-bar.ts';
import type { Theme } from './draw/theme.ts';
import { wrapLine } from './draw/wrap.ts';

export interface Greeting {
  readonly toolCount: number;
  /** Where the session is a server's. */
  readonly address: string | undefined;
}

/** Before the further rows of a line. */
const INDENT = '  ';

/** What somebody sees first: who this is, and three things to try. */
export function greetingText(
  { model, roots }: Pick<Conversation, 'model' | 'roots'>,
  { toolCount, address }: Greeting,
  { theme, width }: { theme: Theme; width: number },
): string {
  const where = roots.length > 0 ? `in ${roots.join(', ')}` : 'without a directory';
  const server = address === undefined ? '' : ` at ${address}`;
  const tools = `${toolCount} tool${toolCount === 1 ? '' : 's'}`;
  const head: Line = [
    span('Toolpost', (text) => theme.strong(theme.accent(text))),
    span(`, model ${shortModel(model) || 'of the server'}, ${tools}, ${where}${server}`, theme.faint),
  ];
  const tries = model !== 'demo' ? TRIES : address === undefined ? DEMO_TRIES : SERVER_DEMO_TRIES;
  const lines = [head, ...tries.map(([what, about]): Line => [span(`  ${what}`), span(`  ${about}`, theme.faint)])];
  return lines
    .flatMap((line) => wrapLine(line, { width: width - INDENT.length, rest: [span(INDENT)] }))
    .map(renderLine)
    .join('\n');
}

const TRIES = [
  ['what is in this directory?', 'it reads and edits files, and asks before it changes one'],
  ['/tools', 'what it can use; /help lists all commands'],
  ['ctrl-o', 'everything that was said and done, whole'],
] as const;

const DEMO_TRIES = [
  ['greet Bob', 'the demo model only matches words'],
  ['/tools', 'what it can use; /help lists all commands'],
  ['toolpost chat --model openai:NAME', 'a real one: also anthropic:NAME, or openai-compatible:NAME@URL'],
] as const;

/** The model of a server's session is the server's: with its keys. */
const SERVER_DEMO_TRIES = [
  ...DEMO_TRIES.slice(0, 2),
  ['/model openai:NAME', 'a real one, if the server has its key; /model lists them'],
] as const;
