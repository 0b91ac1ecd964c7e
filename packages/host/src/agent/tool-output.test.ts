import { describe, expect, it } from 'vitest';
import { toRecord } from './fixtures/call-recorder.ts';
import { toToolOutput } from './tool-output.ts';

const call = { id: '1', name: 'shot' };
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;

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
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      ],
    });
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
