// What the suite runs as the client under test: `node client.js URL`. A host with one MCP server, the suite's, whose tools
// it lists and calls; where the server asks who calls, it signs in first, as a person who always agrees.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHost, signInToServer } from '@toolpost/host';

const ID = 'suite';
/** A step up, and one more to see that there is an end. */
const MAX_SIGN_INS = 3;
/** The page about a client that the suite looks for; it never reads the page. */
const CLIENT_PAGE = 'https://conformance-test.local/client-metadata.json';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const home = mkdtempSync(path.join(tmpdir(), 'toolpost-conformance-'));
const mcpServers = { [ID]: { url: process.argv.at(-1), oauth: oauthSettings(context) } };
writeFileSync(path.join(home, 'config.json'), JSON.stringify({ mcpServers }));
const options = {
  environment: { ...process.env, TOOLPOST_HOME: home },
  roots: [home],
  yes: true,
  onWarning: (text) => console.error(text),
};
try {
  process.exitCode = await run();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The client that a scenario says was registered by hand, else one that is known by its page. */
function oauthSettings({ client_id: clientId, client_secret: clientSecret, issuer }) {
  return clientId ? { clientId, clientSecret, issuer } : { clientMetadataUrl: CLIENT_PAGE };
}

async function run() {
  for (let signIns = 0; ; signIns++) {
    const failure = await useServer();
    if (failure === undefined) return 0;
    console.error(failure);
    if (!failure.includes('toolpost plugins login') || signIns === MAX_SIGN_INS) return 1;
    await signInToServer(options, { pluginId: ID, tenant: '', showAddress, abortSignal: AbortSignal.timeout(20_000) });
  }
}

/** Uses all that the server offers. Returns why it cannot. */
async function useServer() {
  const host = await createHost(options);
  try {
    const session = host.openSession();
    const { tools } = await host.listTools(session);
    const own = tools.filter(({ definition }) => definition.name.startsWith(`mcp__${ID}__`));
    const broken = (await host.listPlugins({ start: false })).find(({ id, error }) => id === ID && error);
    if (broken) return String(broken.error.message ?? broken.error);
    const records = await Promise.all(
      callsOf(own.map(({ definition }) => definition)).map(([name, input], index) =>
        host.callTool({ id: `call-${index}`, name, arguments: JSON.stringify(input) }, session, { ask }),
      ),
    );
    const failed = records.find(({ outcome }) => outcome !== 'completed');
    return failed && JSON.stringify(failed);
  } finally {
    await host.close();
  }
}

/** The calls that the scenario names, else one of each tool. */
function callsOf(tools) {
  const named = context.toolCalls?.map((call) => [`mcp__${ID}__${call.name}`, call.arguments ?? {}]);
  return named ?? tools.map(({ name, inputSchema }) => [name, argumentsFor(inputSchema, tools)]);
}

function argumentsFor({ properties = {}, required = [] }, tools) {
  return Object.fromEntries(required.map((key) => [key, valueFor(key, properties[key] ?? {}, tools)]));
}

/** A tool of the suite wants the schema of another, to see that all of it came through. */
function valueFor(key, { type, enum: values }, tools) {
  if (key === 'schema') return tools[0].inputSchema;
  if (values) return values[0];
  return { string: 'text', number: 2, integer: 2, boolean: true, array: [], object: {} }[type] ?? 'text';
}

/** Leaves every field of a form as it is. */
async function ask() {
  return { action: 'accept', content: {} };
}

/** A browser whose owner agrees at once. */
async function showAddress(url) {
  const { headers } = await fetch(url, { redirect: 'manual' });
  const back = headers.get('location');
  if (back) await fetch(back);
}
