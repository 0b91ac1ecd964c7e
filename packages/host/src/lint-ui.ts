import { isJsonObject, type ToolDefinition, UI_LIBS, UI_MODES } from '@toolpost/protocol';

/**
 * What is wrong with how a tool says that it is drawn, one clause each. `mayContribute`: its plugin has the permission
 * `ui.contribute`.
 */
export function uiAdvice({ ui, inputSchema }: ToolDefinition, mayContribute: boolean): string[] {
  if (!ui) return [];
  const { mode, param, libs = [], surface } = ui;
  const foreign = libs.filter((lib) => !UI_LIBS.includes(lib as never));
  return [
    !UI_MODES.includes(mode as never) &&
      `ui.mode is ${JSON.stringify(mode)}, which no client shows: there are ${UI_MODES.join(', ')}`,
    param !== undefined && paramAdvice(param, inputSchema.properties),
    foreign.length > 0 && `ui.libs has ${foreign.join(', ')}, which there are not: there are ${UI_LIBS.join(', ')}`,
    surface !== undefined &&
      surface !== 'inline' &&
      surface !== 'panel' &&
      `ui.surface is ${JSON.stringify(surface)}, which counts as "inline"; the other one is "panel"`,
    !mayContribute &&
      'what is done in its interface does not reach its plugin: "ui.contribute" is not in the permissions of its plugin.json',
  ].filter((advice) => advice !== false);
}

function paramAdvice(param: string, properties: unknown): string | false {
  const schema = isJsonObject(properties) && Object.hasOwn(properties, param) ? properties[param] : undefined;
  if (schema === undefined) return `ui.param is ${JSON.stringify(param)}, and its input schema has no such property`;
  const types = isJsonObject(schema) ? [schema.type].flat() : [];
  if (types.includes('string') || types.every((type) => type === undefined)) return false;
  return `ui.param is ${JSON.stringify(param)}, which has to be a text, and its input schema says ${types.join(' or ')}`;
}
