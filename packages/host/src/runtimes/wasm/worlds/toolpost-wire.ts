import { type ContentBlock, formatDuration, isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';

// The types of `toolpost:plugin` (packages/protocol/wit/plugin.wit) as jco gives them: an option that is none is undefined,
// lists of bytes are Uint8Arrays. They come from a guest, but the component model has checked their shape.

export interface WireDefinition {
  readonly name: string;
  readonly description: string;
  readonly title?: string;
  readonly inputSchema: string;
  readonly outputSchema?: string;
  readonly annotations?: JsonObject;
  readonly primaryArg?: string;
  readonly ui?: JsonObject;
  readonly channels: string[];
  readonly timeoutMs?: number;
  readonly concurrency: 'parallel' | 'serial';
}

interface WireMedia {
  readonly data: Uint8Array;
  readonly mimeType: string;
}

interface WireResource {
  readonly uri: string;
  readonly mimeType?: string;
  readonly body: { readonly tag: 'text'; readonly val: string } | { readonly tag: 'blob'; readonly val: Uint8Array };
}

interface WireLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

type WireBlock =
  | { readonly tag: 'text'; readonly val: string }
  | { readonly tag: 'image' | 'audio'; readonly val: WireMedia }
  | { readonly tag: 'resource'; readonly val: WireResource }
  | { readonly tag: 'resource-link'; readonly val: WireLink };

export interface WireResult {
  readonly content: readonly WireBlock[];
  readonly structuredContent?: string;
  readonly isError: boolean;
  readonly metadata?: string;
}

/** A definition as `readToolDeclaration` reads it. @throws Error that names the tool and the schema that is no JSON. */
export function fromWireDefinition(definition: WireDefinition): JsonObject {
  const { inputSchema, outputSchema, annotations, ui, timeoutMs, ...rest } = definition;
  const schemaOf = (text: string, what: string): JsonObject => {
    const schema = jsonObject(text);
    if (schema) return schema;
    throw new Error(`tool ${quoteValue(definition.name)}: its ${what} is no JSON object: ${quoteValue(text)}`);
  };
  return {
    ...known(rest),
    inputSchema: schemaOf(inputSchema, 'input-schema'),
    ...(outputSchema !== undefined && { outputSchema: schemaOf(outputSchema, 'output-schema') }),
    ...(annotations && { annotations: known(annotations) }),
    ...(ui && { ui: known(ui) }),
    ...(timeoutMs !== undefined && { timeout: formatDuration(timeoutMs) }),
  };
}

/** Without the options that are none: what is kept in the cache has them no more. */
function known(record: object): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** A result as `toToolResult` takes it. @throws Error that says what is no JSON object. */
export function fromWireResult({ content, structuredContent, isError, metadata }: WireResult): JsonObject {
  const objectOf = (text: string, what: string): JsonObject => {
    const value = jsonObject(text);
    if (value) return value;
    throw new Error(`its ${what} is no JSON object: ${quoteValue(text)}`);
  };
  return {
    content: content.map(fromWireBlock),
    isError,
    ...(structuredContent !== undefined && { structuredContent: objectOf(structuredContent, 'structured-content') }),
    ...(metadata !== undefined && { metadata: objectOf(metadata, 'metadata') }),
  };
}

function fromWireBlock(block: WireBlock): ContentBlock {
  switch (block.tag) {
    case 'text':
      return { type: 'text', text: block.val };
    case 'image':
    case 'audio':
      return { type: block.tag, data: base64(block.val.data), mimeType: block.val.mimeType };
    case 'resource': {
      const { uri, mimeType, body } = block.val;
      const held = body.tag === 'text' ? { text: body.val } : { blob: base64(body.val) };
      return { type: 'resource', resource: { uri, ...(mimeType !== undefined && { mimeType }), ...held } };
    }
    case 'resource-link': {
      const { uri, name, title, description, mimeType } = block.val;
      const named = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
      return { type: 'resource_link', uri, name, ...named, ...(mimeType !== undefined && { mimeType }) };
    }
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
