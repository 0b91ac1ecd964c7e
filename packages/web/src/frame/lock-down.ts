import { isPressedHere } from './own-activation.ts';

/**
 * Takes from this window what no content security policy governs: a peer connection asks servers of the code's choice, by
 * names of its choice. The policy lets no script run but this one and what it evaluates, so that frames in this frame have
 * no window of their own where a script could find it again.
 */
export function lockDown(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (/^(?:webkit|moz)?RTC/.test(name)) Reflect.deleteProperty(globalThis, name);
  }
  // Each entry would be a step of the way back in the page around it.
  for (const name of ['pushState', 'replaceState', 'go', 'back', 'forward'])
    Reflect.deleteProperty(History.prototype, name);
  // It writes to the clipboard, which is pasted elsewhere.
  Reflect.deleteProperty(Document.prototype, 'execCommand');
  for (const owner of [HTMLElement.prototype, SVGElement.prototype, window]) holdBackFocus(owner);
}

/** Code that gives itself the focus, as forms like to, would take it from whoever types in the page around. */
function holdBackFocus(owner: { focus(options?: FocusOptions): void }): void {
  const { focus } = owner;
  const whenUsed = function (this: typeof owner, options?: FocusOptions): void {
    if (document.hasFocus() || isPressedHere()) focus.call(this, options);
  };
  Object.defineProperty(owner, 'focus', { value: whenUsed, writable: false, configurable: false });
}
