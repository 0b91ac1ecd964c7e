const SCRIPT_TYPES = ['', 'text/javascript', 'application/javascript', 'module'];

interface Handler {
  readonly element: Element;
  readonly type: string;
  readonly code: string;
}

/** A document taken apart: what is to be seen, and what is to run. */
export interface ReadPage {
  readonly root: HTMLElement;
  readonly body: HTMLElement;
  readonly nodes: readonly Node[];
  readonly scripts: readonly string[];
  readonly handlers: readonly Handler[];
}

/** Reads a document as markup alone. Its handlers stand in no attribute any more: the frame's policy refuses those. */
export function readPage(html: string): ReadPage {
  const { documentElement, head, body } = new DOMParser().parseFromString(html, 'text/html');
  const scripts = [...documentElement.querySelectorAll('script')];
  const handlers = [...documentElement.querySelectorAll('*')].flatMap(takeHandlers);
  for (const script of scripts) script.remove();
  return {
    root: documentElement,
    body,
    nodes: [...head.querySelectorAll('style'), ...body.childNodes],
    scripts: scripts.filter(isOwnScript).map(({ textContent }) => textContent ?? ''),
    handlers,
  };
}

function isOwnScript(script: HTMLScriptElement): boolean {
  return !script.hasAttribute('src') && SCRIPT_TYPES.includes(script.type);
}

function takeHandlers(element: Element): Handler[] {
  return [...element.attributes]
    .filter(({ name }) => /^on[a-z]+$/.test(name))
    .map(({ name, value }) => {
      element.removeAttribute(name);
      return { element, type: name.slice(2), code: value };
    });
}
