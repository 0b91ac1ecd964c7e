import { describe, expect, it } from 'vitest';
import { toRecord } from './fixtures/call-recorder.ts';
import { toToolOutput } from './tool-output.ts';

const call = { id: '1', name: 'shot' };
const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

describe('what the model gets of a call', () => {
  it('is the text, well formed and never the metadata', () => {
    const record = toRecord(call, { text: 'cut \uD83D', metadata: { secret: 'm' } });
    expect(toToolOutput(record)).toEqual({ type: 'text', value: 'cut \uFFFD' });
  });

  it('is an error with its text, whatever the outcome', () => {
    for (const outcome of ['failed', 'denied', 'timed-out', 'crashed'] as const) {
      expect(toToolOutput(toRecord(call, { outcome, text: 'why' }))).toEqual({ type: 'error-text', value: 'why' });
    }
  });

  it('holds images as files, never as text', () => {
    const record = toRecord(call, { text: 'a chart', content: [{ type: 'text', text: 'a chart' }, image] });
    expect(toToolOutput(record)).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: 'a chart' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
      ],
    });
  });

  it.each([
    ['image/jpg', '/9j/4AAQSkZJRg==', 'image/jpeg'],
    ['image/png', 'R0lGODlhAQABAA==', 'image/gif'],
    ['image/webp', 'UklGRiQAAABXRUJQVlA4IA==', 'image/webp'],
  ])('names the kind of an image by its bytes: %s', (mimeType, data, mediaType) => {
    const record = toRecord(call, { content: [{ type: 'image', data, mimeType }] });
    expect(toToolOutput(record)).toMatchObject({ value: [{ text: 'The result is an image.' }, { mediaType }] });
  });

  it.each([
    ['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'), 'not a PNG'],
    ['image/png', `data:image/png;base64,${PNG}`, 'not valid base64'],
    ['image/png', '', 'not valid base64'],
    ['image/png', PNG.replaceAll('=', '').padEnd(5 * 1024 * 1024 + 4, 'A'), 'too large'],
  ])('says why in place of an image that a provider would refuse: %s', (mimeType, data, why) => {
    const output = toToolOutput(toRecord(call, { content: [{ type: 'image', data, mimeType }] }));
    expect(output).toEqual({ type: 'text', value: expect.stringContaining(why) });
  });

  it('keeps the mark of an error and names the image that it cannot carry', () => {
    const record = toRecord(call, { outcome: 'failed', text: 'bad', content: [image] });
    expect(toToolOutput(record)).toEqual({ type: 'error-text', value: 'bad\n(image, image/png, not shown here)' });
  });

  it('names links and resources, and shows the text of resources', () => {
    const content = [
      { type: 'resource_link', uri: 'file:///a', name: 'a' } as const,
      { type: 'resource', resource: { uri: 'x:1', text: 'inside' } } as const,
      { type: 'resource', resource: { uri: 'x:2', blob: 'AAAA' } } as const,
    ];
    const { value } = toToolOutput(toRecord(call, { content })) as { value: string };
    expect(value).toBe('a: file:///a\ninside\n(resource x:2, not shown here)');
  });

  it('says so when a result is empty, and shows a structured one that has no text', () => {
    expect(toToolOutput(toRecord(call, ''))).toEqual({ type: 'text', value: 'shot gave no output.' });
    const structured = toRecord(call, { text: '', content: [], structuredContent: { temp: 21 } });
    expect(toToolOutput(structured)).toEqual({ type: 'text', value: '{"temp":21}' });
  });
});
