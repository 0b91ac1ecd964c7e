import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApprovalRequest } from './call-path/approver.ts';
import { addPuppet } from './channels/fixtures/puppet.ts';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import type { Host } from './host.ts';

const SDK = pathToFileURL(new URL('../../sdk/dist/index.js', import.meta.url).pathname).href;
const PYTHON = `
import toolpost


def would_move(to: str, ctx: toolpost.Context):
    if to == "nowhere":
        raise ValueError("there is no such place")
    return f"move to {to} in {len(ctx.roots)} roots for {ctx.session.user}"


@toolpost.tool(preview=would_move)
def move(to: str, fast: bool = False, ctx: toolpost.Context = None):
    "Moves."
    return f"moved to {to}"


@toolpost.tool
def plain():
    "Does something."


toolpost.serve()
`;
const TYPESCRIPT = `
import { definePlugin, defineTool, serveStdio } from '${SDK}';
const inputSchema = { type: 'object', properties: { to: { type: 'string' } } };
await serveStdio(definePlugin({ tools: [
  defineTool({ name: 'fly', description: 'Flies.', inputSchema, execute: () => 'flown ' + process.pid,
    async preview({ to }, { roots, settings, session, abortSignal }) {
      if (to === 'never') await new Promise((done) => abortSignal.addEventListener('abort', done));
      if (to === 'hang') await new Promise(() => {});
      return ['fly to', to, roots.length, settings.place, session.user].join(' ');
    } }),
] }));`;

let world: HostWorld;
let host: Host;

function addProgram(id: string, file: string, source: string, executable: string): void {
  world.write(`plugins/${id}/${file}`, source);
  const manifest = { id, name: id, version: '1.0.0', description: 'For tests.', runtime: 'stdio', executable };
  world.write(`plugins/${id}/plugin.json`, { ...manifest, args: [file], permissions: ['tools.register'] });
}

beforeEach(() => {
  world = createHostWorld();
});
afterEach(() => host.close());

/** What the person who is asked is shown of a call. */
async function shownOf(name: string, input: Record<string, string>, answer: 'once' | 'no' = 'no') {
  const asked: ApprovalRequest[] = [];
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    return { answer, by: 'ann' } as const;
  };
  const { text } = await callIn(host, host.openSession({ user: 'ann' }), name, input, { approve });
  return { preview: asked[0]?.preview, text };
}

test('a Python plugin says what a call would do, of the arguments that its preview names', async () => {
  addProgram('mover', 'main.py', PYTHON, 'python3');
  host = await world.open({ yes: false });
  expect((await shownOf('move', { to: 'Oslo' })).preview).toBe('move to Oslo in 1 roots for ann');
  expect((await shownOf('move', { to: 'nowhere' })).preview).toBeUndefined();
  expect((await shownOf('plain', {})).preview).toBeUndefined();
  expect((await shownOf('move', { to: 'Oslo' }, 'once')).text).toBe('moved to Oslo');
});

test('a process of the TypeScript SDK does too, and goes on when its preview is too slow', async () => {
  addProgram('flyer', 'main.mjs', TYPESCRIPT, 'node');
  world.write('home/config.json', { plugins: { settings: { flyer: { place: 'here' } } } });
  host = await world.open({ yes: false });
  expect((await shownOf('fly', { to: 'Oslo' })).preview).toBe('fly to Oslo 1 here ann');
  const before = await shownOf('fly', { to: 'never' }, 'once');
  const after = await shownOf('fly', { to: 'hang' }, 'once');
  expect([before.preview, after.preview]).toEqual([undefined, undefined]);
  expect(after.text).toMatch(/^flown \d+$/);
  expect(after.text).toBe(before.text);
});

test('a tool that a channel declares has a preview through its requests', async () => {
  const tool = { description: 'Posts.', inputSchema: { type: 'object' }, channels: ['p'] };
  addPuppet(world, 'p', {
    tools: [
      { ...tool, name: 'post', hasPreview: true },
      { ...tool, name: 'blind' },
    ],
  });
  world.write('home/config.json', { channels: { p: { enabled: true } } });
  host = await world.open({ yes: false });
  const shown = async (name: string) => {
    const asked: ApprovalRequest[] = [];
    const approve = async (request: ApprovalRequest) => {
      asked.push(request);
      return { answer: 'no', by: 'ann' } as const;
    };
    await callIn(host, host.openSession({ channel: 'p' }), name, { a: 'b' }, { approve });
    return asked[0]?.preview;
  };
  expect(await shown('post')).toBe('would post {"a":"b"}');
  expect(await shown('blind')).toBeUndefined();
});
