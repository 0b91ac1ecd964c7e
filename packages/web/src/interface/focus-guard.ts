/** Who has typed this lately, or gone into a field, and has not moved the pointer since, is at work in this page. */
const AT_WORK_MS = 2_000;
/** From one frame to another the focus goes without a word to this page. */
const LOOK_MS = 250;

interface Guarded {
  readonly element: HTMLIFrameElement;
  onTheft(): void;
}

const guarded = new Set<Guarded>();
/** What this page has seen of its user last, in ms. What happens within a frame it does not see. */
let usedAt = Number.NEGATIVE_INFINITY;
let pointedAt = Number.NEGATIVE_INFINITY;
let pointedTo = '';
/** Who had the focus before: an element of this page, or a frame to which its user has gone. */
let holder: Element | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Keeps a frame from taking the focus from whoever types in this page, which code in it can: what is typed would go to it. The focus
 * goes back to where it was, and `onTheft` is told. Ends by the function that it gives. Else the focus may come in many ways, of which
 * this page sees no more: by a click in the frame, by tools that read a screen aloud.
 */
export function guardFocus(element: HTMLIFrameElement, onTheft: () => void): () => void {
  const member = { element, onTheft };
  guarded.add(member);
  if (guarded.size === 1) start();
  return () => {
    guarded.delete(member);
    if (holder === element) holder = undefined;
    if (guarded.size === 0) stop();
  };
}

/** Whether a guarded frame has the focus because its user has gone there. */
export function holdsFocus(element: HTMLIFrameElement): boolean {
  look();
  return holder === element && document.activeElement === element;
}

function start(): void {
  for (const [type, listener] of LISTENERS) addEventListener(type, listener, true);
  timer = setInterval(look, LOOK_MS);
}

function stop(): void {
  clearInterval(timer);
  for (const [type, listener] of LISTENERS) removeEventListener(type, listener, true);
}

const onKey = (event: Event) => {
  if (!event.isTrusted || !(event instanceof KeyboardEvent)) return;
  const isText = event.key.length === 1 || event.key === 'Backspace' || event.key === 'Process';
  // A key that is no text, as Tab and Enter are, ends it.
  usedAt = isText ? performance.now() : Number.NEGATIVE_INFINITY;
};
/** What moves under a pointer at rest makes browsers tell of it again, where it was. */
const onPointer = (event: Event) => {
  if (!event.isTrusted || !(event instanceof PointerEvent)) return;
  const place = `${event.screenX} ${event.screenY}`;
  if (place !== pointedTo) pointedAt = performance.now();
  pointedTo = place;
  // Who goes into a field is about to type. A finger is not seen on its way to the next place.
  const isField = event.target instanceof Element && event.target.matches('input, textarea');
  if (event.type === 'pointerdown' && isField && event.pointerType !== 'touch') usedAt = performance.now();
};
const LISTENERS: readonly (readonly [type: string, listener: (event: Event) => void])[] = [
  ['keydown', onKey],
  ...['pointerdown', 'pointermove', 'pointerover', 'pointerout'].map((type) => [type, onPointer] as const),
  ...['blur', 'focusin'].map((type) => [type, look] as const),
];

function look(): void {
  const active = document.activeElement ?? document.body;
  // On its way from one to another it is nowhere.
  if (active === holder || active === document.body) return;
  const frame = [...guarded].find(({ element }) => element === active);
  if (!frame || !isAtWork()) {
    holder = active;
    return;
  }
  // While it still moves, the browser would not have it go elsewhere.
  setTimeout(() => takeBack(frame));
}

function takeBack({ element, onTheft }: Guarded): void {
  if (document.activeElement !== element) return;
  element.blur();
  window.focus();
  if (holder instanceof HTMLElement && holder.isConnected) holder.focus();
  onTheft();
}

function isAtWork(): boolean {
  return usedAt >= pointedAt && performance.now() - usedAt < AT_WORK_MS;
}
