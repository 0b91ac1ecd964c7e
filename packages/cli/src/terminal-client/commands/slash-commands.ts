import { pluginText } from '../../plugin-text.ts';
import { plainText } from '../../terminal-text.ts';
import { toolColumns } from '../../tool-columns.ts';
import { whyText } from '../../why-text.ts';
import { lineWidth, renderLine, span } from '../draw/line.ts';
import { wrapLine } from '../draw/wrap.ts';
import { modelCommand } from './model-command.ts';
import { reloadCommand } from './reload-command.ts';
import { sendCommand } from './send-command.ts';
import { SESSION_COMMANDS } from './session-commands.ts';
import { type SlashCommand, said } from './slash-command.ts';

/** Every command of the chat, in the order of the help. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'tools',
    about: 'the tools that this session sees',
    run: async (_, { conversation, width }) => said(toolColumns(await conversation.tools(), width)),
  },
  {
    name: 'plugins',
    about: 'the plugins, in which state, and their last error',
    async run(_, { conversation, width }) {
      const plugins = await conversation.plugins();
      return said(
        plugins.length === 0
          ? 'No plugins were found.'
          : plugins
              .map(pluginText)
              .map((text) => indented(text, width))
              .join(''),
      );
    },
  },
  reloadCommand,
  {
    name: 'why',
    argument: 'TOOL',
    about: 'why a tool is visible, hidden, shadowed or denied',
    async run(tool, { conversation }) {
      const report = await conversation.why(tool);
      const isNew =
        report.candidates.length === 0 ? 'Files are read at the start: /reload finds what is new since.' : '';
      return said(plainText(whyText(report)) + isNew);
    },
    async suggest(conversation) {
      return (await conversation.tools()).map(({ name, description }) => ({ text: name, about: description }));
    },
  },
  ...SESSION_COMMANDS,
  modelCommand,
  sendCommand,
  {
    name: 'help',
    alias: '?',
    about: 'this list',
    run: async (_, { width }) => said(helpText(width)),
  },
  {
    name: 'exit',
    alias: 'quit',
    about: 'leave, as Ctrl-D does',
    run: async () => ({ kind: 'leave' }),
  },
];

const KEYS = [
  ['Enter', 'sends; while something runs, it is sent behind it'],
  ['Shift-Enter', 'a new line; so do Alt-Enter, Ctrl-J, and \\ before Enter'],
  ['Up, Down', 'what was sent before'],
  ['Tab, @path', 'completes a command, or the name of a file'],
  ['Ctrl-O', 'everything that was said and done, whole'],
  ['Esc, Ctrl-C', 'cancels what runs; Ctrl-C twice leaves'],
];

/** Whole, however narrow the screen is: what goes on stands below its beginning. */
function helpText(width: number): string {
  const commands = SLASH_COMMANDS.map(({ name, argument, about }) => [
    `/${name}${argument ? ` ${argument}` : ''}`,
    about,
  ]);
  const rows = [...commands, ...KEYS];
  const nameWidth = Math.max(...rows.map(([name = '']) => name.length));
  const lines = rows.flatMap(([name = '', about = '']) =>
    wrapLine([span(about)], {
      width,
      first: [span(`  ${name.padEnd(nameWidth)}  `)],
      rest: [span(' '.repeat(nameWidth + 4))],
    }),
  );
  return [...lines.map(renderLine), 'Anything else goes to the model.'].join('\n');
}

/** What is too long for a row goes on below it, with the rows that belong to it. */
function indented(text: string, width: number): string {
  const further = [span('    ')];
  const lines = text.split('\n').flatMap((line) => {
    const [, indent = '', words = ''] = /^( *)(.*)$/.exec(line) ?? [];
    const first = indent === '' ? { width: width - lineWidth(further) } : { width, first: [span(indent)] };
    return wrapLine([span(words)], { ...first, rest: further });
  });
  return lines.map((line) => renderLine(line).trimEnd()).join('\n');
}
