import { formatDuration } from '@toolpost/protocol';
import { type Command, Option } from 'commander';
import { addCommonOptions, collect, duration, port } from './common-options.ts';
import { addSessionCommands } from './session-commands.ts';

type SetStatus = (status: number) => void;
type AddCommand = (program: Command, setStatus: SetStatus) => void;

const MODEL = ['--model <spec>', 'demo, openai:NAME, anthropic:NAME or openai-compatible:NAME@URL'] as const;
const DEFAULT_PORT = 7417;
const DEFAULT_GRACE_MS = 10_000;
const JSON_OBJECT = ['--json', 'print one JSON object', false] as const;

/** What each command takes, in the order of the help. Its code is loaded when it runs. */
export const COMMANDS: Readonly<Record<string, AddCommand>> = {
  chat(program, setStatus) {
    addCommonOptions(program.command('chat'))
      .summary('talk to the agent in the terminal')
      .description('Talks to the agent. Without a terminal it reads one prompt a line and ends with the input.')
      .option('-p, --prompt <text>', 'answer this one prompt and end')
      .option(...MODEL)
      .option('--continue', 'go on with the latest conversation that was held here')
      .addOption(new Option('--resume <id>', 'go on with the session of this id').conflicts(['continue', 'chat']))
      .option(
        '--connect <url>',
        'talk to a server, with the token in TOOLPOST_TOKEN or that of its port in the home directory',
      )
      .addHelpText(
        'after',
        example(
          'toolpost chat --model openai:gpt-5',
          "toolpost chat -p 'greet Bob'",
          'toolpost chat --connect http://127.0.0.1:7417',
        ),
      )
      .action(async (options) => setStatus(await (await import('./commands/chat.ts')).chat(options)));
  },

  run(program, setStatus) {
    addCommonOptions(program.command('run <text>'))
      .summary('let the agent do one thing, headless')
      .description(
        'Runs one turn of the agent and prints its answer. Exits with 0 when the turn is completed, also when a call in it ' +
          'was denied or failed: that is in the answer and the events. Else with 1.',
      )
      .option(...MODEL)
      .option('--json', 'print the events of the turn, one JSON object a line', false)
      .addHelpText(
        'after',
        example("toolpost run 'greet Bob'", "toolpost run 'what changed?' --allow 'bash(git status)'"),
      )
      .action(async (text, options) => setStatus(await (await import('./commands/run.ts')).run(text, options)));
  },

  tools(program, setStatus) {
    addCommonOptions(program.command('tools'))
      .summary('list the tools that this session sees')
      .description('Lists the tools that this session sees.')
      .option(...JSON_OBJECT)
      .option(
        '--lint',
        'what each provider would refuse or get in another form; exit status 1 when one is refused',
        false,
      )
      .addHelpText('after', example('toolpost tools --plugins ./my-plugins', 'toolpost tools --json --channel web'))
      .action(async (options) => setStatus(await (await import('./commands/tools.ts')).tools(options)));
  },

  call(program, setStatus) {
    addCommonOptions(program.command('call <name> [arguments...]'))
      .summary('call one tool')
      .description('Calls one tool with key=value arguments, or with one JSON object.')
      .option('--input <json>', 'the arguments as a JSON object; - reads standard input')
      .option('--json', 'print the call record, one JSON object', false)
      .option('--events', 'print the events of the call, one JSON object a line', false)
      .addHelpText(
        'after',
        example('toolpost call hello name=Bob', `toolpost call read --input '{"file_path":"README.md"}'`),
      )
      .action(async (name, pairs, options) =>
        setStatus(await (await import('./commands/call.ts')).call(name, pairs, options)),
      );
  },

  why(program, setStatus) {
    addCommonOptions(program.command('why <name>'))
      .summary('tell why a tool is visible, hidden, shadowed or denied')
      .description('Tells where a tool comes from, and why this session sees it or not and may call it or not.')
      .option(...JSON_OBJECT)
      .addHelpText('after', example('toolpost why read'))
      .action(async (name, options) => setStatus(await (await import('./commands/why.ts')).why(name, options)));
  },

  doctor(program, setStatus) {
    addCommonOptions(program.command('doctor'))
      .summary('tell what keeps plugins and tools from being used')
      .description(
        'Tells of each plugin and tool which gate is closed (found, trusted, enabled, configured, permitted, started, ' +
          'visible) and what opens it, and checks the machine. Starts every plugin. Exits with 1 when something is closed ' +
          'that was asked for.',
      )
      .option(...JSON_OBJECT)
      .addHelpText('after', example('toolpost doctor', 'toolpost doctor --plugins ./my-plugins --channel web'))
      .action(async (options) => setStatus(await (await import('./commands/doctor.ts')).doctor(options)));
  },

  serve(program, setStatus) {
    addCommonOptions(program.command('serve'))
      .summary('serve the agent to browsers and programs, on 127.0.0.1')
      .description(
        'Serves the agent in the browser, and sessions, tools and plugins over HTTP, on 127.0.0.1 only. Requests need a bearer token: TOOLPOST_TOKEN, else ' +
          'a random one in the home directory (tokens/<port>). A signal lets turns that run finish; a second one does not.',
      )
      .option('--port <number>', 'the port; 0 for any that is free', port, DEFAULT_PORT)
      .addOption(
        new Option('--grace <duration>', 'how long turns may finish after a signal')
          .default(DEFAULT_GRACE_MS, formatDuration(DEFAULT_GRACE_MS))
          .argParser(duration),
      )
      .addHelpText('after', example('toolpost serve', 'TOOLPOST_TOKEN=... toolpost serve --port 8080'))
      .action(async (options) => setStatus(await (await import('./commands/serve.ts')).serve(options)));
  },

  mcp(program, setStatus) {
    addCommonOptions(program.command('mcp'), 'mcp')
      .summary('serve the same tools to a client of MCP')
      .description(
        'Serves the tools of one session as an MCP server on stdin and stdout, until stdin ends. A call that would ask is ' +
          'asked of the client where it can show a form, else denied. With --http it serves on 127.0.0.1 instead, to requests ' +
          'with a bearer token: TOOLPOST_TOKEN, else a random one in the home directory (tokens/<port>).',
      )
      .option('--http <port>', 'serve over HTTP at /mcp of this port; 0 for any that is free', port)
      .addHelpText('after', example('toolpost mcp', "toolpost mcp --root ~/project --allow 'bash(npm test)'"))
      .action(async (options) => setStatus(await (await import('./commands/mcp.ts')).mcp(options)));
  },

  sessions(program, setStatus) {
    const sessions = program.command('sessions').summary('list, show, export, fork and delete sessions');
    sessions.description('Lists, shows, exports, renames, forks and deletes the sessions that are kept.');
    addSessionCommands(sessions, setStatus);
  },

  plugins(program, setStatus) {
    const plugins = program.command('plugins').summary('list, describe and check plugins');
    plugins.description('Lists, describes and checks plugins.');
    addPluginCommands(plugins, setStatus);
  },

  build(program, setStatus) {
    program
      .command('build <dir>')
      .summary('make a WebAssembly component of a plugin, to run it in a sandbox')
      .description(
        'Makes a WebAssembly component of a native plugin, written in TypeScript or JavaScript: DIR/dist/ID.wasm, with a ' +
          'plugin.json beside it. Needs componentize-qjs and rolldown, and says how to install them.',
      )
      .option('--out <dir>', 'write them to this folder (default: DIR/dist)')
      .addHelpText('after', example('toolpost build ./my-plugins/weather'))
      .action(async (dir, options) => setStatus(await (await import('./commands/build.ts')).build(dir, options)));
  },

  trust(program, setStatus) {
    program
      .command('trust <dir>')
      .summary("accept a directory's project files")
      .description('Accepts the project files of a directory (AGENTS.md, .mcp.json, .toolpost/) as they are now.')
      .option('--forget', 'take the acceptance back', false)
      .addHelpText('after', example('toolpost trust .'))
      .action(async (dir, options) => setStatus(await (await import('./commands/trust.ts')).trust(dir, options)));
  },

  approvals(program, setStatus) {
    const approvals = program.command('approvals').summary('list the calls that you always allow, and take that back');
    approvals.description('Lists the calls that were answered with "always" in a chat, and takes such answers back.');
    approvals
      .command('list', { isDefault: true })
      .summary('the answers that are kept, newest first')
      .description('Lists the answers that are kept, newest first.')
      .option(...JSON_OBJECT)
      .addHelpText('after', example('toolpost approvals list'))
      .action(async (options) => setStatus(await (await import('./commands/approvals.ts')).approvalsList(options)));
    approvals
      .command('forget [ids...]')
      .summary('ask about these calls again')
      .description('Takes answers back by their ids, so that the calls are asked about again.')
      .option('--all', 'take back all of them', false)
      .addHelpText('after', example('toolpost approvals forget 0f3a5c7e9b1d', 'toolpost approvals forget --all'))
      .action(async (ids, options) =>
        setStatus(await (await import('./commands/approvals.ts')).approvalsForget(ids, options)),
      );
  },
};

function addPluginCommands(plugins: Command, setStatus: SetStatus): void {
  addCommonOptions(plugins.command('list'))
    .summary('what was found, in which state, and why not')
    .description('Lists every plugin that was found. Starts each one, to tell the truth about it.')
    .option(...JSON_OBJECT)
    .addHelpText('after', example('toolpost plugins list --plugins ./my-plugins'))
    .action(async (options) => setStatus(await (await import('./commands/plugins-list.ts')).pluginsList(options)));
  addCommonOptions(plugins.command('info <id-or-dir>'))
    .summary('tell about one plugin')
    .description('Tells about one plugin: by its id among those found, or by its folder.')
    .option(...JSON_OBJECT)
    .addHelpText('after', example('toolpost plugins info ./my-plugins/weather'))
    .action(async (place, options) =>
      setStatus(await (await import('./commands/plugins-info.ts')).pluginsInfo(place, options)),
    );
  plugins
    .command('validate <dir>')
    .summary('check a plugin.json')
    .description('Checks the plugin.json of a plugin folder without running anything of it.')
    .addHelpText('after', example('toolpost plugins validate ./my-plugins/weather'))
    .action(async (dir) => setStatus(await (await import('./commands/plugins-validate.ts')).pluginsValidate(dir)));
  addServerCommands(plugins, setStatus);
}

/** What only plugins that are MCP servers need. */
function addServerCommands(plugins: Command, setStatus: SetStatus): void {
  plugins
    .command('import <file>')
    .summary("take over another client's MCP servers")
    .description(
      "Takes the MCP servers of another client's file into config.json: .mcp.json, Claude Desktop, Cursor, VS Code, opencode.",
    )
    .option('--config <file>', "write to this file in place of the home directory's config.json")
    .addHelpText('after', example('toolpost plugins import .mcp.json'))
    .action(async (file, options) =>
      setStatus(await (await import('./commands/plugins-import.ts')).pluginsImport(file, options)),
    );
  plugins
    .command('accept <id> [tool]')
    .summary('accept what an MCP server changed of its tools')
    .description(
      'Accepts the changed tools of an MCP server: one of them, or all. `toolpost why TOOL` shows a change first.',
    )
    .addHelpText(
      'after',
      example('toolpost plugins accept github', 'toolpost plugins accept github mcp__github__search'),
    )
    .action(async (id, tool) =>
      setStatus(await (await import('./commands/plugins-accept.ts')).pluginsAccept(id, tool)),
    );
  plugins
    .command('login <id>')
    .summary('sign in at an MCP server that asks who calls')
    .description('Signs in at an MCP server with an address, in a browser. The tokens are kept in the home directory.')
    .option('--plugins <dir>', 'a folder of plugin folders, or one plugin folder (repeatable)', collect)
    .option(
      '--root <dir>',
      'a directory whose trusted .mcp.json counts (repeatable; default: the current one)',
      collect,
    )
    .option('--tenant <id>', 'for whom')
    .option('--config <file>', "use this file in place of the home directory's config.json")
    .option('--no-browser', 'only show the address')
    .addHelpText('after', example('toolpost plugins login linear'))
    .action(async (id, options) =>
      setStatus(await (await import('./commands/plugins-login.ts')).pluginsLogin(id, options)),
    );
}

function example(...lines: string[]): string {
  return `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
