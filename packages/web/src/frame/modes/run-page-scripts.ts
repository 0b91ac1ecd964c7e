import { evaluateInWindow } from '../evaluate.ts';

const SCRIPT_TYPES = ['', 'text/javascript', 'application/javascript', 'module'];

/**
 * Runs the scripts of a document that was put in place. The frame's policy lets no markup run anything, or a frame within
 * it could; so they are evaluated, all of them and the handlers of attributes as one text, in which each knows what the
 * others declare.
 */
export function runPageScripts(place: HTMLElement): void {
  const scripts = [...place.querySelectorAll('script')].filter(
    ({ src, type }) => src === '' && SCRIPT_TYPES.includes(type),
  );
  const handlers = [...place.querySelectorAll('*')].flatMap(takeHandlers);
  const functions = handlers.map(({ code }) => `function (event) { ${code}\n}`).join(',\n');
  const text = scripts.map(({ textContent }) => textContent).join('\n;\n');
  const made = evaluateInWindow(text, `[${functions}]\n//# sourceURL=interface.html`) as readonly EventListener[];
  for (const [index, { element, type }] of handlers.entries()) {
    const handler = made[index];
    if (handler) element.addEventListener(type, handler);
  }
  // They wait for a document that has loaded long ago.
  document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }));
  dispatchEvent(new Event('load'));
}

interface Handler {
  readonly element: Element;
  readonly type: string;
  readonly code: string;
}

function takeHandlers(element: Element): Handler[] {
  return [...element.attributes]
    .filter(({ name }) => /^on[a-z]+$/.test(name))
    .map(({ name, value }) => {
      element.removeAttribute(name);
      return { element, type: name.slice(2), code: value };
    });
}
