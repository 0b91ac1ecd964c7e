import type { ToolpostEvent } from '@toolpost/protocol';

type ReadPage = (page: { afterSeq: number }) => readonly ToolpostEvent[];

/** All events of a log, page by page. */
export function* readLog(read: ReadPage, afterSeq = 0): Generator<ToolpostEvent> {
  for (let seq = afterSeq; ; ) {
    const page = read({ afterSeq: seq });
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    seq = last.seq;
  }
}
