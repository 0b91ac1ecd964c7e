import { afterEach, describe, expect, it } from 'vitest';
import { CONFORMANCE } from '../src/runtimes/conformance.ts';
import { createMcpRuntime } from '../src/runtimes/mcp/mcp-runtime.ts';
import type { LoadedPlugin } from '../src/runtimes/runtime.ts';
import { createTestCallContext } from '../src/runtimes/test-contexts.ts';
import { type LoadedTestPlugin, loadIn, testPlugin } from './load-test-plugin.ts';

const ID = 'conformance-mcp';
const PREFIX = `mcp__${ID}__`;

const NO_OUTPUT = 'a server of MCP has progress and a result, and no output';
const NO_CONTEXT = 'MCP tells a server nothing of sessions, settings and storage';
const TOOLS_ALONE = 'a server of MCP has no hooks and no enrichers';

const SKIPS: Record<string, string> = {
  'streams output of both streams in order': NO_OUTPUT,
  'carries the session and the roots to the tool': NO_CONTEXT,
  "gives the tool the plugin's settings": NO_CONTEXT,
  "keeps values in the call's storage": NO_CONTEXT,
  'refuses storage in the name of a call that is not in flight': NO_CONTEXT,
  "asks the session's user": 'the question names the server; it has a test of its own below',
  'offers its hooks, and lets one allow': TOOLS_ALONE,
  'lets a hook deny with its reason': TOOLS_ALONE,
  'lets a hook rewrite the arguments': TOOLS_ALONE,
  'gives the texts of its enrichers, for the session that asks': TOOLS_ALONE,
};

/** The suite calls tools by their short names; a server's are always qualified. */
function withShortNames(plugin: LoadedPlugin): LoadedPlugin {
  return {
    get tools() {
      return plugin.tools.map((tool) => ({ ...tool, name: tool.name.slice(PREFIX.length) }));
    },
    hooks: [],
    enrichers: [],
    get isReady() {
      return plugin.isReady;
    },
    ready: () => plugin.ready(),
    execute: (tool, input, context) => plugin.execute({ ...tool, name: PREFIX + tool.name }, input, context),
    runHook: (...hook) => plugin.runHook(...hook),
    enrich: (...enricher) => plugin.enrich(...enricher),
    close: () => plugin.close(),
  };
}

describe.each(['session', 'request'])('mcp, the era that begins with a %s', (era) => {
  let loaded: LoadedTestPlugin | undefined;

  afterEach(async () => {
    await loaded?.plugin.close();
    loaded = undefined;
  });

  async function load(): Promise<LoadedTestPlugin> {
    const runtime = createMcpRuntime({ hostVersion: '1.2.3' });
    const opened = await loadIn(runtime, testPlugin(ID, { args: ['main.mjs', era] }));
    loaded = { ...opened, plugin: withShortNames(opened.plugin) };
    return loaded;
  }

  for (const { title, run } of CONFORMANCE) {
    const reason = SKIPS[title];
    it(title, async (test) => {
      test.skip(reason !== undefined, reason);
      await run(await load());
    });
  }

  it('skips only what the suite has', () => {
    const titles = new Set(CONFORMANCE.map(({ title }) => title));
    expect(Object.keys(SKIPS).filter((title) => !titles.has(title))).toEqual([]);
  });

  it("asks the session's user with the server named, and gives what was left as it was", async () => {
    const { plugin } = await load();
    const answer = { action: 'accept', content: { colour: 'red' } } as const;
    const context = createTestCallContext({}, { answer });
    const tool = { name: 'question', description: '', inputSchema: {} };
    const result = await plugin.execute(tool, {}, context);
    const content = { size: 'large', colour: 'red' };
    expect(result).toMatchObject({ content: [{ type: 'text', text: JSON.stringify({ action: 'accept', content }) }] });
    expect(context.questions.map(({ message }) => message)).toEqual([`The MCP server ${ID} asks: Which colour?`]);
  });
});
