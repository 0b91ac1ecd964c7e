/** In ms: on the clock, and of the processor in this thread, which no other process prolongs. */
export interface Redraw {
  readonly ms: number;
  readonly processorMs: number;
}

export interface RedrawnSession {
  /** From one event that came until its frame is written. */
  redraw(): Promise<Redraw>;
  /** From the start until the session of so many events stood there, in ms. */
  readonly openedMs: number;
  close(): void;
}
