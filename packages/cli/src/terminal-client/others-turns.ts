import type { EndedTurn, WatchedTurn } from '../conversation.ts';

/** What others do in the session of a chat while nothing is done in the chat. */
export interface OthersTurns {
  /** Looks on, for one turn. */
  watch(): void;
  /** Resolves when nothing more of it comes. A turn that runs goes on, unseen. */
  stop(): Promise<void>;
  /** Cancels the turn that runs. */
  cancel(): void;
}

export interface OthersTurnsOptions {
  watch(options: Pick<WatchedTurn, 'abortSignal' | 'onTurn'>): Promise<EndedTurn | undefined>;
  onBegin(): void;
  /** Told once for each beginning; undefined when the turn was left, or can be seen no more. */
  onEnd(ended: EndedTurn | undefined): void;
  onError(error: unknown): void;
}

export function createOthersTurns({ watch, onBegin, onEnd, onError }: OthersTurnsOptions): OthersTurns {
  let stopping = new AbortController();
  let watched: Promise<void> | undefined;
  let cancelTurn: (() => void) | undefined;

  async function look(abortSignal: AbortSignal): Promise<void> {
    let ended: EndedTurn | undefined;
    const onTurn = (cancel: () => void) => {
      cancelTurn = cancel;
      onBegin();
    };
    try {
      ended = await watch({ abortSignal, onTurn });
    } catch (error) {
      onError(error);
    }
    const hadTurn = cancelTurn !== undefined;
    cancelTurn = undefined;
    if (hadTurn) onEnd(ended);
  }

  return {
    watch() {
      stopping = new AbortController();
      watched = look(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await watched;
    },
    cancel: () => cancelTurn?.(),
  };
}
