type Listener = ((event: AbortEvent) => void) | { handleEvent(event: AbortEvent): void };

interface AbortEvent {
  readonly type: 'abort';
  readonly target: GuestAbortSignal;
}

/** Says that a call was given up. QuickJS has no AbortSignal; this one knows the one event that it is for. */
export class GuestAbortSignal {
  onabort: ((event: AbortEvent) => void) | null = null;
  private isAborted = false;
  private why: unknown;
  private readonly listeners = new Set<Listener>();
  private readonly isDue: (() => boolean) | undefined;

  /** `isDue` is asked when somebody looks, so that a loop that never waits sees the abort too. */
  constructor(isDue?: () => boolean) {
    this.isDue = isDue;
  }

  get aborted(): boolean {
    if (!this.isAborted && this.isDue?.()) this.fire();
    return this.isAborted;
  }

  get reason(): unknown {
    return this.aborted ? this.why : undefined;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.why;
  }

  addEventListener(type: string, listener: Listener | null): void {
    if (type === 'abort' && listener) this.listeners.add(listener);
  }

  removeEventListener(type: string, listener: Listener | null): void {
    if (type === 'abort' && listener) this.listeners.delete(listener);
  }

  /** Aborts, once. */
  fire(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.isAborted) return;
    this.isAborted = true;
    this.why = reason;
    const event: AbortEvent = { type: 'abort', target: this };
    this.onabort?.(event);
    for (const listener of this.listeners) {
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    }
    this.listeners.clear();
  }

  static abort(reason?: unknown): GuestAbortSignal {
    const signal = new GuestAbortSignal();
    signal.fire(reason);
    return signal;
  }

  static timeout(ms: number): GuestAbortSignal {
    const signal = new GuestAbortSignal();
    setTimeout(() => signal.fire(new DOMException('The operation timed out', 'TimeoutError')), ms);
    return signal;
  }

  static any(signals: Iterable<GuestAbortSignal>): GuestAbortSignal {
    const sources = [...signals];
    const any = new GuestAbortSignal(() => sources.some(({ aborted }) => aborted));
    for (const source of sources) {
      if (source.aborted) any.fire(source.reason);
      else source.addEventListener('abort', () => any.fire(source.reason));
    }
    return any;
  }
}

export class GuestAbortController {
  readonly signal = new GuestAbortSignal();

  abort(reason?: unknown): void {
    this.signal.fire(reason);
  }
}
