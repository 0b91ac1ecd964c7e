import type { JsonObject, ToolDefinition } from '@toolpost/protocol';
import type { Snapshot } from '../registry/snapshot.ts';
import { uiPage } from './ui-page.ts';

/** What MCP Apps takes for a page. */
export const UI_MIME_TYPE = 'text/html;profile=mcp-app';
const PREFIX = 'ui://toolpost/';

/** The page that shows what a tool draws: the plugin's own, else ours. */
export function uiResourceUri({ name, ui }: ToolDefinition): string | undefined {
  if (!ui) return undefined;
  return ui.resourceUri ?? PREFIX + encodeURIComponent(name);
}

/** The pages of ours that a session's tools have, for `resources/list`. */
export function listUiResources({ definitions }: Snapshot): JsonObject[] {
  return definitions.flatMap((definition) => {
    const { name, title = name, ui } = definition;
    const uri = uiResourceUri(definition);
    if (uri === undefined || ui?.resourceUri !== undefined) return [];
    return [{ uri, name, title: `What ${title} shows`, mimeType: UI_MIME_TYPE }];
  });
}

/** Undefined when no tool of the session has a page under this URI. */
export function readUiResource({ definitions }: Snapshot, uri: string): JsonObject | undefined {
  if (!uri.startsWith(PREFIX)) return undefined;
  const definition = definitions.find(
    (one) => one.ui && one.ui.resourceUri === undefined && uiResourceUri(one) === uri,
  );
  if (!definition?.ui) return undefined;
  return { uri, mimeType: UI_MIME_TYPE, text: uiPage(definition.ui) };
}
