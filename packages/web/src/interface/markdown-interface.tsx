import { Markdown } from '../text/markdown.tsx';
import { plainText } from '../text/plain-text.ts';
import type { ShownInterface } from './shown-interface.ts';

/** Nothing in it runs, so it needs no frame. */
export function MarkdownInterface({ shown: { code, isFinal } }: { readonly shown: ShownInterface }) {
  return <Markdown text={plainText(code)} isOpen={!isFinal} />;
}
