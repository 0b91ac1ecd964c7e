import { type JsonSchema, quoteValue, schemaOfParameters, type ToolParameter } from '@toolpost/protocol';

/** A definition in the form of models' APIs, which seed B's builder gives. */
export interface FunctionDefinition {
  type: 'function';
  function: { name: string; description: string; parameters: JsonSchema; version?: string };
}

export interface ToolDefBuilder {
  /** Adds a parameter; the order of the calls is the order in the schema. */
  param(name: string, type: ToolParameter['type'], description: string, required: boolean): ToolDefBuilder;
  /**
   * @throws TypeError when a parameter is wrong or declared twice.
   */
  build(): FunctionDefinition;
}

/** Starts a definition in seed B's way (`ToolDef::function`); `required` is always present, also when empty. */
export function toolDef(name: string, description: string): ToolDefBuilder {
  const parameters: ToolParameter[] = [];
  const builder: ToolDefBuilder = {
    param(parameter, type, text, required) {
      if (typeof required !== 'boolean') {
        throw new TypeError(
          `param ${quoteValue(parameter)}: required must be true or false, got ${quoteValue(required)}`,
        );
      }
      parameters.push({ name: parameter, type, description: text, required });
      return builder;
    },
    build: () => ({
      type: 'function',
      function: { name, description, parameters: { required: [], ...schemaOfParameters(parameters) } },
    }),
  };
  return builder;
}
