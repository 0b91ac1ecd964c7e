import { z } from 'zod';

/** The content blocks of a result: MCP's five kinds. Unknown keys (`annotations`, `_meta`) travel along. */
const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const image = z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() });
const audio = z.looseObject({ type: z.literal('audio'), data: z.string(), mimeType: z.string() });
const resource = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({
    uri: z.string(),
    mimeType: z.string().exactOptional(),
    text: z.string().exactOptional(),
    blob: z.string().exactOptional(),
  }),
});
const resourceLink = z.looseObject({
  type: z.literal('resource_link'),
  uri: z.string(),
  name: z.string(),
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  mimeType: z.string().exactOptional(),
});

export const contentBlockSchema = z.discriminatedUnion('type', [text, image, audio, resource, resourceLink]);
