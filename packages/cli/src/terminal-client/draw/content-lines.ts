import type { ContentBlock } from '@toolpost/protocol';
import { byteText } from './byte-text.ts';
import type { CallPage } from './call.ts';
import { cutLine, type Line, span, textLines } from './line.ts';
import { hostOf } from './markdown-inline.ts';
import { wrapLine } from './wrap.ts';

/** What a result holds beside text, a row each: its kind, its size, and the host that a link leads to. */
export function contentLines(content: readonly ContentBlock[], page: CallPage): Line[] {
  return content.flatMap((block) => {
    const about = describe(block);
    if (about === undefined) return [];
    const bar = span('   │ ', page.theme.faint);
    const line = [span(`[${about}]`, page.theme.faint)];
    if (!page.isExpanded) return [cutLine([bar, ...line], page.width)];
    const text = block.type === 'resource' ? textLines(block.resource.text?.trimEnd() ?? '') : [];
    return [line, ...text].flatMap((one) => wrapLine(one, { width: page.width, first: [bar] }));
  });
}

function describe(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return undefined;
    case 'image':
      return `picture: ${block.mimeType}, ${sizeOf(block.data)}`;
    case 'audio':
      return `sound: ${block.mimeType}, ${sizeOf(block.data)}`;
    case 'resource_link': {
      const { uri, name, title = name, mimeType } = block;
      return parts(`link: ${title} (${hostOf(uri)})`, mimeType);
    }
    case 'resource': {
      const { uri, mimeType, text, blob } = block.resource;
      const size = blob === undefined ? byteText(Buffer.byteLength(text ?? '')) : sizeOf(blob);
      return parts(`file: ${uri}`, mimeType, size);
    }
  }
}

function parts(...all: readonly (string | undefined)[]): string {
  return all.filter((part) => part !== undefined && part !== '').join(', ');
}

/** Of base64: three bytes stand in four characters. */
function sizeOf(base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return byteText(Math.max(0, Math.floor((base64.length * 3) / 4) - padding));
}
