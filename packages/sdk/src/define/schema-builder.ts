import type { ToolParameter } from '@toolpost/protocol';

export interface SchemaBuilder {
  addStringParam(name: string, description: string, required: boolean): SchemaBuilder;
  addNumberParam(name: string, description: string, required: boolean): SchemaBuilder;
  addBoolParam(name: string, description: string, required: boolean): SchemaBuilder;
  addArrayParam(name: string, description: string, required: boolean): SchemaBuilder;
  build(): ToolParameter[];
}

/** Collects a parameter list call by call (seed A: SchemaBuilder). */
export function newSchemaBuilder(): SchemaBuilder {
  const parameters: ToolParameter[] = [];
  const adder =
    (type: ToolParameter['type']) =>
    (name: string, description: string, required: boolean): SchemaBuilder => {
      parameters.push({ name, type, description, required });
      return builder;
    };
  const builder: SchemaBuilder = {
    addStringParam: adder('string'),
    addNumberParam: adder('number'),
    addBoolParam: adder('boolean'),
    addArrayParam: adder('array'),
    build: () => parameters.map((parameter) => ({ ...parameter })),
  };
  return builder;
}
