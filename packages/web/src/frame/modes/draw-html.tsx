import { useLayoutEffect, useRef } from 'react';
import { withoutFence } from '../genui/compile.ts';
import type { Draw } from './picture.ts';
import { readPage } from './read-page.ts';
import { runPageScripts } from './run-page-scripts.ts';

/** A document. While it is written it is markup alone; its scripts run once, when it is whole. */
export const drawHtml: Draw = ({ code, isFinal }) => <Page html={withoutFence(code)} isFinal={isFinal} />;

function Page({ html, isFinal }: { readonly html: string; readonly isFinal: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    const page = readPage(html);
    for (const name of ['class', 'style']) {
      const value = page.body.getAttribute(name);
      if (value !== null) place.current.setAttribute(name, value);
    }
    place.current.replaceChildren(...page.nodes);
    if (isFinal) runPageScripts(page);
  }, [html, isFinal]);
  return <div ref={place} />;
}
