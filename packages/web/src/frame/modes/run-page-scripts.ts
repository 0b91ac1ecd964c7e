import { evaluateInWindow } from '../evaluate.ts';
import type { ReadPage } from './read-page.ts';

/**
 * Runs the scripts of a document that was put in place. The frame's policy lets no markup run anything, or a frame within
 * it could; so they are evaluated, all of them and the handlers of attributes as one text, in which each knows what the
 * others declare.
 */
export function runPageScripts({ scripts, handlers }: ReadPage): void {
  const functions = handlers.map(({ code }) => `function (event) { ${code}\n}`).join(',\n');
  const made = evaluateInWindow(scripts.join('\n;\n'), `[${functions}]\n//# sourceURL=interface.html`);
  for (const [index, { element, type }] of handlers.entries()) {
    const handler = (made as readonly EventListener[])[index];
    if (handler) element.addEventListener(type, handler);
  }
  // They wait for a document that has loaded long ago.
  document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }));
  dispatchEvent(new Event('load'));
}
