import { BLOCKS_MODE, type JsonObject, type ToolDefinition } from '@toolpost/protocol';
import type { Snapshot } from '../registry/snapshot.ts';
import type { WireNames } from '../registry/wire-names.ts';
import { appPage, BLOCKS_PAGE } from './app-page.ts';
import { APP_MIME_TYPE } from './protocol-era.ts';

const PREFIX = 'ui://toolpost/tools/';
/** The page for results with blocks, of whatever tool. */
export const BLOCKS_URI = 'ui://toolpost/blocks';

/** The page that shows what a tool draws: the plugin's own, else ours. */
export function uiResourceUri({ name, ui }: ToolDefinition): string | undefined {
  if (!ui) return undefined;
  // One that says only who may call it has no page.
  if (ui.resourceUri !== undefined || ui.mode === 'app') return ui.resourceUri;
  return ui.mode === BLOCKS_MODE ? BLOCKS_URI : PREFIX + encodeURIComponent(name);
}

/** The pages of ours that a session's tools have, for `resources/list`. */
export function listUiResources({ definitions }: Snapshot): JsonObject[] {
  const ofTools = definitions.flatMap((definition) => {
    const { name, title = name } = definition;
    const uri = uiResourceUri(definition);
    return uri?.startsWith(PREFIX) ? [{ ...page(uri), name, title: `What ${title} shows` }] : [];
  });
  return [...ofTools, { ...page(BLOCKS_URI), name: 'toolpost-blocks', title: 'What results draw' }];
}

function page(uri: string): JsonObject {
  return { uri, mimeType: APP_MIME_TYPE };
}

/** Undefined when no tool of the session has a page under this URI. */
export async function readUiResource(
  { snapshot, names }: { readonly snapshot: Snapshot; readonly names: WireNames },
  uri: string,
): Promise<JsonObject | undefined> {
  if (uri === BLOCKS_URI) return contents(uri, await appPage(BLOCKS_PAGE));
  if (!uri.startsWith(PREFIX)) return undefined;
  const definition = snapshot.definitions.find((one) => uiResourceUri(one) === uri);
  if (!definition?.ui) return undefined;
  return contents(uri, await appPage({ tool: names.toWire(definition.name), ui: definition.ui }));
}

/** Nothing is asked for beyond showing itself: no domain, no feature of the browser. */
function contents(uri: string, text: string): JsonObject {
  return { ...page(uri), text, _meta: { ui: { prefersBorder: true } } };
}
