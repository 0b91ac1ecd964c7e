import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { defineTool, newToolError } from '@toolpost/sdk';
import { PNG, WAV } from './media.ts';

const inputSchema = { type: 'object', properties: {} };
const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

export const tools = [
  defineTool({
    name: 'test_simple_text',
    description: 'Answers with a text.',
    inputSchema,
    execute: () => 'This is a simple text response for testing.',
  }),
  defineTool({
    name: 'test_image_content',
    description: 'Answers with an image.',
    inputSchema,
    execute: () => ({ content: [image] }),
  }),
  defineTool({
    name: 'test_audio_content',
    description: 'Answers with a sound.',
    inputSchema,
    execute: () => ({ content: [{ type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }] }),
  }),
  defineTool({
    name: 'test_embedded_resource',
    description: 'Answers with a resource.',
    inputSchema,
    execute: () => ({
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  }),
  defineTool({
    name: 'test_multiple_content_types',
    description: 'Answers with a text, an image and a resource.',
    inputSchema,
    execute: () => ({
      content: [
        text('Multiple content types test:'),
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  }),
  defineTool({
    name: 'test_error_handling',
    description: 'Fails.',
    inputSchema,
    execute: () => newToolError('This tool intentionally returns an error for testing'),
  }),
  defineTool({
    name: 'test_tool_with_logging',
    description: 'Logs while it runs.',
    inputSchema,
    async execute(_input, { log }) {
      log('Tool execution started');
      await pause(50);
      log('Tool processing data');
      await pause(50);
      log('Tool execution completed');
      return 'Logged three times.';
    },
  }),
  defineTool({
    name: 'test_logging_tool',
    description: 'Logs once.',
    inputSchema,
    execute(_input, { log }) {
      log('A message that only those get who asked for it');
      return 'Logged.';
    },
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Tells its progress.',
    inputSchema,
    async execute(_input, { progress }) {
      for (const done of [0, 50, 100]) {
        progress({ progress: done, total: 100 });
        await pause(50);
      }
      return 'Done.';
    },
  }),
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: JSON.parse(readFileSync(new URL('schema-2020-12.json', import.meta.url), 'utf8')),
    execute: (input) => JSON.stringify(input),
  }),
  defineTool({
    name: 'test_header_param',
    description: 'Has an argument that clients repeat as a header.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    execute: ({ region }) => `The region is ${region}.`,
  }),
];
