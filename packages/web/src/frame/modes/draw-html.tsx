import { useLayoutEffect, useRef } from 'react';
import { withoutFence } from '../genui/compile.ts';
import type { Draw } from './picture.ts';
import { runPageScripts } from './run-page-scripts.ts';

/** A document. While it is written it is markup alone; its scripts run once, when it is whole. */
export const drawHtml: Draw = ({ code, isFinal }) => <Page html={withoutFence(code)} isFinal={isFinal} />;

function Page({ html, isFinal }: { readonly html: string; readonly isFinal: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    const { head, body } = new DOMParser().parseFromString(html, 'text/html');
    const styles = [...head.querySelectorAll('style')];
    for (const name of ['class', 'style']) {
      const value = body.getAttribute(name);
      if (value !== null) place.current.setAttribute(name, value);
    }
    const headScripts = [...head.querySelectorAll('script')];
    place.current.replaceChildren(...styles, ...headScripts, ...body.childNodes);
    if (isFinal) runPageScripts(place.current);
  }, [html, isFinal]);
  return <div ref={place} />;
}
