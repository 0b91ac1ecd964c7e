import type { ContentBlock } from '@toolpost/protocol';

type ImageBlock = Extract<ContentBlock, { type: 'image' }>;

/** Anthropic's limit, the lowest, in characters of base64. */
const MAX_BASE64_CHARS = 5 * 1024 * 1024;
/** How the kinds of image start that every provider takes. */
const STARTS: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * What kind of image a block holds by its own bytes, or why no model can be shown it. One image that a provider refuses
 * would make it refuse the whole history from then on.
 */
export function checkImage({ data }: ImageBlock): { mediaType: string } | { problem: string } {
  if (data.length > MAX_BASE64_CHARS) return { problem: 'too large to show' };
  if (!BASE64.test(data)) return { problem: 'not valid base64' };
  const mediaType = mediaTypeOf(data);
  return mediaType === undefined ? { problem: 'not a PNG, JPEG, GIF or WebP' } : { mediaType };
}

function mediaTypeOf(data: string): string | undefined {
  const head = Buffer.from(data.slice(0, 32), 'base64').toString('latin1');
  return STARTS.find(([start]) => start.test(head))?.[1];
}
