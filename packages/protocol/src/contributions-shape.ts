import { CHANNEL_NAME, CHANNEL_NAME_IN_WORDS, OWN_CHANNELS } from './channel-wire.ts';
import { HOOK_EVENTS, SILENT_HOOK_EVENTS } from './hook-events.ts';
import type { JsonObject } from './json.ts';
import * as shape from './shape/index.ts';

const UI_SLOTS = [
  'titleBarLeft',
  'titleBarRight',
  'statusBarLeft',
  'statusBarRight',
  'infoBar',
  'footer',
  'toolHint',
] as const;
const MAX_UI_ENTRIES = 10;
const bothSpellings = { snakeCase: true };

const { about, anyObject, anything, boolean, checked, integer, list, object, oneOf, record, required, text } = shape;
const words = () => text({ allowEmpty: true });

const tool = object(
  {
    name: required(text()),
    description: required(words()),
    inputSchema: about('JSON Schema of the arguments', anyObject()),
  },
  bothSpellings,
);

const hook = object(
  {
    event: required(oneOf([...HOOK_EVENTS, ...SILENT_HOOK_EVENTS])),
    matcher: about('*, a tool name, p*, *s or *mid*', words()),
    failClosed: about('a hook that fails or times out denies the call', boolean()),
  },
  bothSpellings,
);

const configurationProperty = object(
  {
    type: required(text()),
    default: anything(),
    description: words(),
    required: about('the plugin does not start without it', boolean()),
    secret: about('its value is never shown or stored in plain text', boolean()),
  },
  bothSpellings,
);

const configSchemaItem = object(
  {
    key: required(text()),
    label: words(),
    description: words(),
    type: oneOf(['toggle', 'text', 'password', 'select', 'number']),
    defaultValue: anything(),
    category: words(),
    readOnly: boolean(),
    options: list(object({ label: words(), value: required(anything()) })),
  },
  bothSpellings,
);

const channelName = text({ pattern: CHANNEL_NAME, right: CHANNEL_NAME_IN_WORDS });

const channelProvider = object(
  {
    name: required(
      checked(channelName, (name, path, { problems }) => {
        if (OWN_CHANNELS.includes(name.toLowerCase()))
          problems.push(`${path}: "${name}" is a channel of Toolpost itself`);
      }),
    ),
    configSchema: list(configSchemaItem),
  },
  bothSpellings,
);

const cron = checked(
  object(
    { message: required(text()), cronExpr: text(), everySeconds: seconds(), at: text(), delaySeconds: seconds() },
    bothSpellings,
  ),
  (entry, path, { problems }) => {
    const times = [entry.cronExpr, entry.everySeconds, entry.at, entry.delaySeconds].filter(
      (time) => time !== undefined,
    );
    if (times.length !== 1) problems.push(`${path}: needs exactly one of cronExpr, everySeconds, at, delaySeconds`);
  },
);

const ui = object(
  {
    id: required(text()),
    slot: required(oneOf(UI_SLOTS)),
    priority: integer({ min: -1_000_000, max: 1_000_000 }),
    refreshInterval: anything(),
    triggers: list(text()),
    sync: boolean(),
    interactive: boolean(),
    title: words(),
  },
  bothSpellings,
);

function seconds(): shape.Shape<number> {
  return integer({ min: 1, max: 366 * 24 * 3600 });
}

/** What `contributes` may hold. Everything but tools, hooks, the channel and the configuration is kept as it is read. */
export const contributionsShape = object(
  {
    tools: about(
      'the tools, so that they are known before the plugin runs',
      checked(list(tool), (tools, path, findings) => noteTwins(tools, 'name', { path, findings })),
    ),
    hooks: list(hook),
    contextEnrichers: list(anyObject()),
    commands: list(anyObject()),
    crons: list(cron),
    themes: list(object({ id: required(text()), file: required(text()), name: words() }, bothSpellings)),
    overlays: list(anyObject()),
    configuration: object({
      title: words(),
      properties: required(record(configurationProperty)),
    }),
    ui: checked(list(ui, { maxItems: MAX_UI_ENTRIES }), (entries, path, findings) =>
      noteTwins(entries, 'id', { path, findings }),
    ),
    channelProvider: about('makes the plugin a channel', channelProvider),
  },
  bothSpellings,
);

/** Names of tools fold case, so two that differ in case only are twins too. */
function noteTwins(
  entries: readonly JsonObject[],
  key: string,
  { path, findings }: { path: string; findings: shape.Findings },
): void {
  const seen = new Map<string, number>();
  entries.forEach((entry, index) => {
    const name = String(entry[key]);
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), index);
    else
      findings.problems.push(`${path}[${index}].${key}: ${JSON.stringify(name)} is already taken by ${path}[${first}]`);
  });
}
