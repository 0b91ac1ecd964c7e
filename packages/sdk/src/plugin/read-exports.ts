import { HostError, isJsonObject, messageOf } from '@toolpost/protocol';
import { isTool, type Tool, toTool } from '../define/define-tool.ts';
import { definePlugin, isPlugin, type Plugin } from './define-plugin.ts';

/**
 * What a plugin's module exports, as one plugin: what definePlugin gave, or all the tools among its exports, alone or
 * in lists. One of the AI SDK's tools, which have no name, is named after its export.
 * @throws HostError PLUGIN_LOAD_FAILED that names the file, the export and the remedy; TOOL_NAME_TAKEN for a name that
 * two of its tools have.
 */
export function readExports(exports: Readonly<Record<string, unknown>>, file: string, pluginId: string): Plugin {
  const fail = (reason: string, cause?: unknown): never => {
    throw new HostError('PLUGIN_LOAD_FAILED', `${pluginId}: ${file} ${reason}`, { cause, pluginId });
  };
  const plugins = new Set(Object.values(exports).filter(isPlugin));
  if (plugins.size > 1) return fail('exports more than one plugin: export one of them as default');
  const [plugin = definePlugin({ tools: readTools(exports, fail) })] = plugins;
  checkNames(plugin.tools, file, pluginId);
  return plugin;
}

type Fail = (reason: string, cause?: unknown) => never;

function readTools(exports: Readonly<Record<string, unknown>>, fail: Fail): Tool[] {
  const tools = new Set<Tool>();
  for (const [name, value] of Object.entries(exports)) {
    const isList = Array.isArray(value) && value.some(looksLikeTool);
    if (!isList && !looksLikeTool(value)) continue;
    for (const [index, item] of (isList ? value : [value]).entries()) {
      const place = isList ? `${name}[${index}]` : name;
      tools.add(
        readTool(item, isList || name === 'default' ? undefined : name, (reason, cause) =>
          fail(`exports a wrong tool as "${place}": ${reason}`, cause),
        ),
      );
    }
  }
  if (tools.size === 0) fail(`exports no tool (${listExports(exports)}): export what defineTool or definePlugin gives`);
  return [...tools];
}

function looksLikeTool(value: unknown): boolean {
  return isTool(value) || (isJsonObject(value) && typeof value.execute === 'function');
}

function readTool(value: unknown, exportName: string | undefined, fail: Fail): Tool {
  if (isTool(value)) return value;
  if (!isJsonObject(value)) return fail(`it is ${kindOf(value)}, not what defineTool gives`);
  try {
    return toTool(exportName === undefined ? value : { name: exportName, ...value });
  } catch (error) {
    return fail(messageOf(error), error);
  }
}

function checkNames(tools: readonly Tool[], file: string, pluginId: string): void {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (seen.has(name))
      throw new HostError('TOOL_NAME_TAKEN', `${pluginId}: ${file} has two tools named "${name}": rename one`, {
        pluginId,
      });
    seen.add(name);
  }
}

function listExports(exports: Readonly<Record<string, unknown>>): string {
  const names = Object.entries(exports).map(([name, value]) => `"${name}" is ${kindOf(value)}`);
  return names.length === 0 ? 'it exports nothing' : names.join(', ');
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list without tools';
  if (value instanceof Promise) return 'a promise: await it';
  if (typeof value === 'object') return 'an object without execute';
  return `a ${typeof value}`;
}
