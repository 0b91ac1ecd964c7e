/** What a served plugin has in flight: calls, by their id, and hooks. */
export class RunningCalls {
  readonly #byKey = new Map<unknown, { cancel(): void }>();
  #onIdle: (() => void) | undefined;

  has(key: unknown): boolean {
    return this.#byKey.has(key);
  }

  add(key: unknown, call: { cancel(): void }): void {
    this.#byKey.set(key, call);
  }

  remove(key: unknown): void {
    this.#byKey.delete(key);
    if (this.#byKey.size === 0) this.#onIdle?.();
  }

  cancel(key: unknown): void {
    this.#byKey.get(key)?.cancel();
  }

  cancelAll(): void {
    for (const call of this.#byKey.values()) call.cancel();
  }

  /** Resolves when nothing is in flight. */
  whenIdle(): Promise<void> {
    if (this.#byKey.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }
}
