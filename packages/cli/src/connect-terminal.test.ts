import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createApiClient } from '@toolpost/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { ASKED, CTRL_D, leaveChat, READY } from './fixtures/open-chat.ts';
import { closeTerminals, hasPty, openTerminal } from './fixtures/open-terminal.ts';
import { type CommandWorld, createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

const PLUGIN = `
  import { defineTool, definePlugin, newResultBuilder } from '@toolpost/sdk';
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  export default definePlugin({ tools: [
    defineTool({ name: 'stamp', description: 'Stamps a letter.', execute: () => 'stamped it' }),
    defineTool({ name: 'linger', description: 'Lingers for ever.', execute: (_, { output }) => { output('lingering\\n'); return new Promise(() => {}); } }),
    defineTool({ name: 'survey', description: 'Surveys a person.', async execute(_, { ask }) {
      const schema = { type: 'object', properties: { nick: { type: 'string' } }, required: ['nick'] };
      return 'it said ' + JSON.stringify(await ask({ message: 'Who is it?', schema }));
    } }),
    defineTool({ name: 'poll', description: 'Draws a poll.', ui: { mode: 'html' },
      execute: () => newResultBuilder().content('Votes: none').metadata('ui_code', '<p>none</p>').build() }),
    defineTool({ name: 'count', description: 'Counts.', async execute(_, { output }) {
      for (let n = 1; n <= 30; n++) { output('number ' + n + ';\\n'); await wait(40); }
      return 'counted';
    } }),
  ], webUiAction: ({ action }) => action === 'vote' ? { content: 'counted', metadata: { ui_code: '<p>one vote</p>' } } : false });`;

const servers = new Set<ChildProcess>();
afterEach(() => {
  closeTerminals();
  for (const server of servers) server.kill('SIGKILL');
  servers.clear();
});

/** A server on the plugin of the world; it keeps its token in the home unless one is given. */
async function startServer(
  world: CommandWorld,
  { port = '0', env = {} }: { port?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const args = ['serve', '--port', port, '--plugins', join(world.dir, 'plugins'), '--no-bundled', '--grace', '100ms'];
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    ...{ cwd: world.root, env: { ...world.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  servers.add(child);
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      // The token is in its file before the last line is written.
      const [, address] = /listening on (http:\S+)\n[\s\S]*works once/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`it ended: ${said}`)));
  });
  const kill = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await once(child, 'exit');
    servers.delete(child);
  };
  return { url, kill };
}

function newWorld(config: object = {}): CommandWorld {
  const world = createCommandWorld();
  world.write('home/config.json', {
    model: 'demo',
    permissions: { allow: ['linger', 'survey', 'count', 'poll'] },
    ...config,
  });
  world.write('plugins/p/index.mjs', PLUGIN);
  world.write('plugins/p/plugin.json', {
    ...{ id: 'p', name: 'p', version: '1.0.0', runtime: 'native', entry: 'index.mjs' },
    permissions: ['tools.register', 'ui.contribute'],
  });
  return world;
}

/** The id of the first call of a session. */
async function firstCall(client: ReturnType<typeof createApiClient>, sessionId: string): Promise<string> {
  const end = new AbortController();
  let found = '';
  await client.follow({
    ...{ sessionId, signal: end.signal },
    onEvent(event) {
      if (event.type !== 'tool-call-start') return;
      found = event.toolCallId;
      end.abort();
    },
  });
  return found;
}

/** The id of the form of a session that waits for an answer. */
async function firstForm(client: ReturnType<typeof createApiClient>, sessionId: string): Promise<string> {
  const end = new AbortController();
  let open = '';
  await client.follow({
    ...{ sessionId, signal: end.signal },
    async onEvent(event) {
      if (event.type !== 'form-request' || end.signal.aborted) return;
      if (!(await client.forms(sessionId)).some(({ formId }) => formId === event.formId)) return;
      open = event.formId;
      end.abort();
    },
  });
  return open;
}

const connected = (world: CommandWorld, url: string, ...args: string[]) =>
  openTerminal('', ['chat', '--connect', url, ...args], { world, isAlone: true });

describe.skipIf(!hasPty)('chat --connect at a terminal (needs python3 with pty)', () => {
  test('runs turns, asks what the server asks, fills in forms, lists and goes on with sessions', async () => {
    const world = newWorld();
    const { url } = await startServer(world);
    const chat = connected(world, url);
    await chat.see(`at ${url}`);
    await chat.see(READY);
    chat.type('use stamp\r');
    await chat.see('Allow stamp of plugin p?');
    await chat.see(`Always (a)  this very call, in ${world.root}`);
    await chat.see(ASKED);
    chat.type('n');
    await chat.see('Why not?');
    chat.type('wrong letter\r');
    await chat.see('▸ stamp ⊘ denied');
    chat.type('use stamp\r');
    await chat.see(ASKED);
    chat.type('s');
    await chat.see('▸ stamp ✓ done');
    chat.type('use stamp\r');
    await chat.seeTimes('▸ stamp ✓ done', 2);
    chat.type('use survey\r');
    await chat.see('survey of plugin p asks');
    await chat.see('Who is it?');
    await chat.see('Enter goes on');
    chat.type('Ann\r');
    await chat.see('it said {"action":"accept","content":{"nick":"Ann"}}');
    chat.type('/sessions\r');
    await chat.see('  use stamp');
    await chat.see(`toolpost chat --connect ${url} --resume ID`);
    chat.type('/tools\r');
    await chat.see('Stamps a letter.');
    await leaveChat(chat);

    const again = connected(world, url, '--continue');
    await again.see('> use survey');
    await again.see('▸ survey ✓ done');
    await leaveChat(again);
  }, 60_000);

  test('Esc cancels the turn at the server', async () => {
    const world = newWorld();
    const { url } = await startServer(world);
    const chat = connected(world, url);
    await chat.see(READY);
    chat.type('use linger\r');
    await chat.see('   │ lingering');
    chat.type('\u001b');
    await chat.see('▸ linger ■ cancelled');
    await chat.see('■ Cancelled');
    await leaveChat(chat);
  });

  test('a question that is answered elsewhere is taken back', async () => {
    const world = newWorld();
    const { url } = await startServer(world, { env: { TOOLPOST_TOKEN: 'the-token-of-both' } });
    world.env.TOOLPOST_TOKEN = 'the-token-of-both';
    const chat = connected(world, url, '--chat', 'desk');
    await chat.see(READY);
    chat.type('use stamp\r');
    await chat.see(ASKED);
    const client = createApiClient({ baseUrl: url, token: 'the-token-of-both', environment: globalThis });
    const { sessions } = await client.listSessions();
    const id = sessions[0]?.id ?? '';
    const [asked] = await client.approvals(id);
    await client.answerApproval(id, asked?.approvalId ?? '', { answer: 'once' });
    await chat.see('answered elsewhere');
    await chat.see('▸ stamp ✓ done');
    await leaveChat(chat);
  });

  test('a turn of others appears while nothing is done here, with its questions; leaving does not end it', async () => {
    const world = newWorld();
    const { url } = await startServer(world, { env: { TOOLPOST_TOKEN: 'the-token-of-both' } });
    world.env.TOOLPOST_TOKEN = 'the-token-of-both';
    const client = createApiClient({ baseUrl: url, token: 'the-token-of-both', environment: globalThis });
    const { id } = await client.createSession({});
    const chat = connected(world, url, '--resume', id);
    await chat.see(READY);
    await client.postMessage(id, { text: 'use stamp' });
    await chat.see('> use stamp');
    await chat.see(ASKED);
    chat.type('y');
    await chat.see('▸ stamp ✓ done');
    await chat.see(READY);

    // It is as a turn of one's own: Esc cancels it, and what is typed waits behind it.
    await client.postMessage(id, { text: 'use linger' });
    await chat.see('   │ lingering');
    chat.type('use count\r');
    await chat.see('use count');
    chat.type('\u001b');
    await chat.see('▸ linger ■ cancelled');
    await chat.see('▸ count ✓ done');
    await chat.see(READY);

    await client.postMessage(id, { text: 'use linger' });
    await chat.seeTimes('▸ linger', 2);
    await chat.see('write ahead');
    chat.type(CTRL_D);
    expect(await chat.closed).toBe(0);
    expect((await client.getSession(id)).isRunning).toBe(true);

    // What runs already when it is opened is joined.
    const again = connected(world, url, '--resume', id);
    await again.see('write ahead');
    await client.cancel(id);
    await again.seeTimes('▸ linger ■ cancelled', 2);
    await leaveChat(again);
  }, 60_000);

  test('what is done in an interface elsewhere is seen, and /send sends on what its plugin does not handle', async () => {
    const world = newWorld();
    const { url } = await startServer(world, { env: { TOOLPOST_TOKEN: 'the-token-of-both' } });
    world.env.TOOLPOST_TOKEN = 'the-token-of-both';
    const client = createApiClient({ baseUrl: url, token: 'the-token-of-both', environment: globalThis });
    const { id } = await client.createSession({});
    const chat = connected(world, url, '--resume', id);
    await chat.see(READY);
    chat.type('use poll\r');
    await chat.see('   │ Votes: none');
    await chat.see(`    drawn at ${url}/#/session/${id}`);
    await chat.see(READY);
    const toolCallId = await firstCall(client, id);
    await client.uiAction(id, { toolCallId, action: 'vote', data: {} });
    await chat.see('poll has changed what it drew (ctrl-o)');
    await client.uiAction(id, { toolCallId, action: 'order', data: { tea: 2 } });
    await chat.see('▸ order from an interface of p {"tea":2} ○ waits for you: /send 1');

    chat.type('/send\r');
    await chat.see('from an interface of p:');
    await chat.see('> [From an interface, not from the user');
    await chat.see(READY);
    chat.type('/send\r');
    await chat.see('No interface waits for something to be sent on.');
    chat.type('@let');
    await chat.see('the files are on the machine of the server');
    chat.type('\u0003');
    await leaveChat(chat);

    const again = connected(world, url, '--resume', id);
    await again.see('▸ order from an interface of p {"tea":2} ✓ sent on');
    again.type('\u000f');
    await again.see('q goes back');
    again.type('g');
    await again.see('<p>one vote</p>');
    again.type('q');
    await leaveChat(again);
  }, 60_000);

  test('goes through a kill of the server: every event once, then the next turn', async () => {
    const world = newWorld();
    const first = await startServer(world);
    const chat = connected(world, first.url);
    await chat.see(READY);
    chat.type('use count\r');
    await chat.see(/│ number (?:[3-9]|\d\d);/);
    await first.kill('SIGKILL');
    await chat.see('! the connection is lost');
    await chat.see('● disconnected');
    await startServer(world, { port: new URL(first.url).port });
    await chat.see('! connected again');
    await chat.see('The host ended in the middle of this turn');
    await chat.see(READY);
    await chat.seeNoMore('● disconnected');
    chat.type('use stamp\r');
    await chat.see(ASKED);
    chat.type('y');
    await chat.see('▸ stamp ✓ done');
    await chat.see(READY);
    // Everything that was said, whole: each number once, in its order.
    chat.type('\u000f');
    await chat.see('q goes back');
    chat.type('g');
    await chat.see('> use count');
    const numbers = [
      ...chat
        .lines()
        .join('\n')
        .matchAll(/number (\d+);/g),
    ].map(([, n]) => Number(n));
    expect(numbers.length).toBeGreaterThan(2);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    chat.type('q');
    await leaveChat(chat);
  }, 60_000);
});

describe('chat --connect', () => {
  test('without a terminal answers each line, and says no to questions', async () => {
    const world = newWorld();
    const { url } = await startServer(world);
    const piped = await world.run(['chat', '--connect', url], { input: 'use count\nuse stamp\n' });
    expect(piped.stdout).toContain('counted');
    expect(piped.stderr).toMatch(/stamp denied[\s\S]*nobody can answer/);
    const prompt = await world.run(['chat', '--connect', url, '-p', 'use count']);
    expect([prompt.status, prompt.stderr]).toEqual([0, expect.stringContaining('number 30;')]);
  });

  test.each([
    ['-p', ['-p', 'use count'], undefined],
    ['a prompt a line', [], 'use count\n'],
  ])(
    '%s prints its own answer alone, and leaves the turns before it and their questions to others',
    async (_, args, input) => {
      const world = newWorld();
      const token = 'the-token-of-both';
      const { url } = await startServer(world, { env: { TOOLPOST_TOKEN: token } });
      const client = createApiClient({ baseUrl: url, token, environment: globalThis });
      const { id } = await client.createSession({});
      await client.postMessage(id, { text: 'use survey' });
      await firstForm(client, id);
      await client.postMessage(id, { text: 'use survey' });

      const chat = spawn(process.execPath, [LAUNCHER, 'chat', '--connect', url, '--resume', id, ...args], {
        ...{ cwd: world.root, env: { ...world.env, TOOLPOST_TOKEN: token }, stdio: 'pipe' },
      });
      servers.add(chat);
      chat.stdin.end(input);
      const closed = once(chat, 'close');
      const said = { stdout: '', stderr: '' };
      const waited: [sign: string, go: () => void][] = [];
      const heard = (sign: string) => new Promise<void>((go) => waited.push([sign, go]));
      const [waits, others] = [heard('another turn of this session runs'), heard('asked elsewhere: use survey')];
      chat.stdout.setEncoding('utf8').on('data', (piece: string) => {
        said.stdout += piece;
      });
      chat.stderr.setEncoding('utf8').on('data', (piece: string) => {
        said.stderr += piece;
        for (const [sign, go] of waited) if (said.stderr.includes(sign)) go();
      });
      for (const shown of [waits, others]) {
        await Promise.race([shown, closed.then(() => Promise.reject(new Error(`it ended: ${said.stderr}`)))]);
        await client.answerForm(id, await firstForm(client, id), { action: 'accept', content: { nick: 'Ann' } });
      }
      expect(await closed).toEqual([0, null]);
      expect(said.stdout).toContain('counted');
      expect(said.stdout).not.toContain('it said');
      expect(said.stderr).toContain('number 30;');
      expect(said.stderr).not.toMatch(/survey completed|it said/);
    },
  );

  test('says what is wrong with the address, the token or a flag, with status 2', async () => {
    const world = newWorld();
    const { url, kill } = await startServer(world, { env: { TOOLPOST_TOKEN: 'the-token-of-it' } });
    const attempts: [string[], Record<string, string>, string][] = [
      [['nowhere'], {}, 'is no address of a server'],
      [['http://example.com:80'], {}, 'clear text'],
      [['https://example.com'], {}, 'needs a token'],
      [[url], {}, 'no token is known'],
      [[url], { TOOLPOST_TOKEN: 'the-wrong-token' }, 'does not take the token of TOOLPOST_TOKEN'],
      [[url, '--yes'], { TOOLPOST_TOKEN: 'the-token-of-it' }, '--yes says nothing with --connect'],
      [[url, '--resume', 'abcdefgh'], { TOOLPOST_TOKEN: 'the-token-of-it' }, 'there is no session "abcdefgh"'],
      [[url, '--continue'], { TOOLPOST_TOKEN: 'the-token-of-it' }, 'no conversation of yours'],
      [[url, '--model', 'nothing'], { TOOLPOST_TOKEN: 'the-token-of-it' }, `the server at ${url}: `],
    ];
    for (const [args, env, message] of attempts) {
      const { status, stderr } = await world.run(['chat', '--connect', ...args], { env });
      expect.soft([status, stderr], args.join(' ')).toEqual([2, expect.stringContaining(message)]);
    }
    await kill();
    const gone = await world.run(['chat', '--connect', url], { env: { TOOLPOST_TOKEN: 'the-token-of-it' } });
    expect([gone.status, gone.stderr]).toEqual([2, expect.stringContaining('no server answers')]);
  }, 60_000);
});
