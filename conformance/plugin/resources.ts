import { Buffer } from 'node:buffer';
import type { PluginResource, PluginResourceTemplate } from '@toolpost/sdk';
import { PNG } from './media.ts';

export const resources: PluginResource[] = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image that never changes.',
    mimeType: 'image/png',
    read: () => new Uint8Array(Buffer.from(PNG, 'base64')),
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text that clients subscribe to.',
    mimeType: 'text/plain',
    read: () => 'Nothing has changed.',
  },
];

export const resourceTemplates: PluginResourceTemplate[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template-data',
    description: 'Data by id.',
    mimeType: 'application/json',
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    complete: { id: (value) => ['1', '12', '123'].filter((id) => id.startsWith(value)) },
  },
];
