import type { ToolDefinition } from '@toolpost/protocol';
import { afterEach, describe, it } from 'vitest';
import { CONFORMANCE } from '../src/runtimes/conformance.ts';
import type { LoadedPlugin } from '../src/runtimes/runtime.ts';
import { loadGuest } from '../src/runtimes/wasm/fixtures/load-guest.ts';
import { newDir } from './load-test-plugin.ts';

const TEXT_ONLY = 'a result of ein:plugin is a text with metadata';
const NO_CONTEXT = 'ein:plugin gives a call its id and its arguments, no more';
const SPAWN_ONLY = 'ein:plugin streams what its commands print, and nothing else';
const NO_HOOKS = 'a component has tools alone';
const ENDED = 'a component hears nothing of its end: its thread is ended';
const SPAWN_ENDS = 'what a component started has ended when its call goes on';

const SKIPS: Record<string, string> = {
  'carries structured content and metadata': TEXT_ONLY,
  'carries several blocks and the error flag': TEXT_ONLY,
  'streams output of both streams in order': SPAWN_ONLY,
  'reports progress': SPAWN_ONLY,
  'tells the tool when its call is cancelled': ENDED,
  'tells the tool when its call is past its deadline': ENDED,
  'ends a call as crashed when the plugin exits, with status and last words':
    'WASI 0.2 tells whether an exit was a failure, not its status',
  'runs calls at the same time': 'a session has one instance, which runs one call at a time',
  'carries the session and the roots to the tool': NO_CONTEXT,
  "gives the tool the plugin's settings": NO_CONTEXT,
  "keeps values in the call's storage": NO_CONTEXT,
  "asks the session's user": NO_CONTEXT,
  'refuses storage in the name of a call that is not in flight': NO_CONTEXT,
  'offers its hooks, and lets one allow': NO_HOOKS,
  'lets a hook deny with its reason': NO_HOOKS,
  'lets a hook rewrite the arguments': NO_HOOKS,
  'gives the texts of its enrichers, for the session that asks': NO_HOOKS,
  'leaves no process behind when it is closed, also none that left its group': SPAWN_ENDS,
  'leaves no process behind when it crashes': SPAWN_ENDS,
};

/** The guest has one tool with an `op`; the suite wants a tool for each. */
function withToolPerOperation(plugin: LoadedPlugin): LoadedPlugin {
  const [guest] = plugin.tools;
  if (!guest) throw new Error('the guest has no tool');
  const operations = ['echo', 'large', 'fail', 'never', 'sleep', 'crash'];
  const tools = operations.map((name): ToolDefinition => ({ ...guest, name }));
  return {
    tools,
    hooks: plugin.hooks,
    enrichers: plugin.enrichers,
    get isReady() {
      return plugin.isReady;
    },
    ready: () => plugin.ready(),
    execute({ name }, input, context) {
      const text = name === 'fail' ? { text: 'the printer is on fire' } : {};
      const given = { op: name, ...text, ...input };
      return plugin.execute(guest, given, { ...context, input: JSON.stringify(given) });
    },
    runHook: (event, abortSignal) => plugin.runHook(event, abortSignal),
    enrich: (name, session, abortSignal) => plugin.enrich(name, session, abortSignal),
    close: () => plugin.close(),
  };
}

describe('wasm, ein:plugin', () => {
  let plugin: LoadedPlugin | undefined;

  afterEach(async () => {
    await plugin?.close();
    plugin = undefined;
  });

  for (const { title, run } of CONFORMANCE) {
    it(title, async (test) => {
      test.skip(SKIPS[title] !== undefined, SKIPS[title]);
      const { context, ...guest } = await loadGuest();
      plugin = guest.plugin;
      const loadAgain = async (closing: AbortSignal) => (await loadGuest({ closing })).plugin;
      await run({ plugin: withToolPerOperation(plugin), context, dir: newDir(), loadAgain });
    });
  }

  it('skips only what the suite has', ({ expect }) => {
    const titles = new Set(CONFORMANCE.map(({ title }) => title));
    expect(Object.keys(SKIPS).filter((title) => !titles.has(title))).toEqual([]);
  });
});
