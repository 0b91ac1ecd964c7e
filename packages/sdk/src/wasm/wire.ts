import type { ContentBlock, ToolDefinition, ToolResult } from '@toolpost/protocol';

/** The context of a call, as the host gives it: `call-context` of the world. */
export interface WireContext {
  callId: string;
  session: { id: string; channel: string; chatId: string; tenant: string; user: string };
  roots: string[];
  readOnlyRoots: string[];
  settings: string;
  hosts: string[];
  maySpawn: boolean;
}

/** A definition as the world has it: schemas are JSON text, what is not there is null. */
export function toWireDefinition(tool: ToolDefinition) {
  const { annotations, ui } = tool;
  return {
    name: tool.name,
    description: tool.description,
    title: tool.title ?? null,
    inputSchema: JSON.stringify(tool.inputSchema),
    outputSchema: tool.outputSchema ? JSON.stringify(tool.outputSchema) : null,
    annotations: annotations
      ? {
          title: annotations.title ?? null,
          readOnlyHint: annotations.readOnlyHint ?? null,
          destructiveHint: annotations.destructiveHint ?? null,
          idempotentHint: annotations.idempotentHint ?? null,
          openWorldHint: annotations.openWorldHint ?? null,
        }
      : null,
    primaryArg: tool.primaryArg ?? null,
    ui: ui ? { mode: ui.mode, param: ui.param ?? null, libs: ui.libs ?? [], surface: ui.surface ?? null } : null,
    channels: tool.channels ?? [],
    timeoutMs: tool.timeoutMs === undefined ? null : Math.ceil(tool.timeoutMs),
    concurrency: tool.concurrency ?? 'parallel',
  };
}

export type WireDefinition = ReturnType<typeof toWireDefinition>;

/** A result as the world has it: binary data is bytes, objects are JSON text. */
export function toWireResult({ content, structuredContent, isError, metadata }: ToolResult) {
  return {
    content: content.map(toWireBlock),
    structuredContent: structuredContent ? JSON.stringify(structuredContent) : null,
    isError,
    metadata: metadata ? JSON.stringify(metadata) : null,
  };
}

export type WireResult = ReturnType<typeof toWireResult>;

function toWireBlock(block: ContentBlock) {
  switch (block.type) {
    case 'text':
      return { tag: 'text', val: block.text };
    case 'image':
    case 'audio':
      return { tag: block.type, val: { data: bytesOf(block.data), mimeType: block.mimeType } };
    case 'resource': {
      const { uri, mimeType = null, text, blob } = block.resource;
      const body = blob === undefined ? { tag: 'text', val: text ?? '' } : { tag: 'blob', val: bytesOf(blob) };
      return { tag: 'resource', val: { uri, mimeType, body } };
    }
    case 'resource_link': {
      const { uri, name, title = null, description = null, mimeType = null } = block;
      return { tag: 'resource-link', val: { uri, name, title, description, mimeType } };
    }
  }
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
