import { isJsonObject } from '@toolpost/protocol';

/** What the server has put into the page by MCP Apps: whose page it is. */
export interface AppSettings {
  /** The tool that it is of; undefined for the page that shows blocks of any tool. */
  readonly tool: string | undefined;
  readonly mode: string;
  /** The argument that holds the code. */
  readonly param: string | undefined;
}

/** Undefined in a page that is not by MCP Apps. */
export function readAppSettings(): AppSettings | undefined {
  const text = document.getElementById('toolpost-app')?.textContent ?? '';
  if (text === '') return undefined;
  const settings: unknown = JSON.parse(text);
  if (!isJsonObject(settings)) return undefined;
  const { tool, mode, param } = settings;
  return { tool: textOr(tool), mode: textOr(mode) ?? '', param: textOr(param) };
}

/** The libraries that came with the page, by their names. */
export function* readAppLibs(): Iterable<readonly [name: string, text: string]> {
  for (const script of document.querySelectorAll<HTMLScriptElement>('script[data-lib]'))
    yield [script.dataset.lib ?? '', script.textContent ?? ''];
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
