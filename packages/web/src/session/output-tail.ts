import type { OutputPiece, Printed } from './entries.ts';

/** More than the last lines that are shown; the whole is one request away. */
const MAX_CHARS = 16_384;

export const NOTHING_PRINTED: Printed = { pieces: [], droppedLines: 0 };

/** A line of what a call prints. Its two streams are kept apart, in whatever pieces they come. */
export interface PrintedLine {
  readonly stream: OutputPiece['stream'];
  readonly text: string;
}

/** Adds what a call printed, and lets go of the beginning. */
export function addOutput({ pieces, droppedLines }: Printed, { stream, text }: OutputPiece): Printed {
  const last = pieces.at(-1);
  const added =
    last?.stream === stream
      ? [...pieces.slice(0, -1), { stream, text: last.text + text }]
      : [...pieces, { stream, text }];
  let excess = added.reduce((sum, piece) => sum + piece.text.length, 0) - MAX_CHARS;
  let dropped = '';
  while (excess > 0) {
    const first = added[0];
    if (!first) break;
    dropped += first.text.slice(0, excess);
    if (first.text.length <= excess) added.shift();
    else added[0] = { ...first, text: first.text.slice(excess) };
    excess -= first.text.length;
  }
  return { pieces: added, droppedLines: droppedLines + dropped.split('\n').length - 1 };
}

/** The lines in the order in which they ended; those that have no end yet come last. */
export function linesOf(pieces: readonly OutputPiece[]): readonly PrintedLine[] {
  const lines: PrintedLine[] = [];
  const open = new Map<OutputPiece['stream'], string>();
  for (const { stream, text } of pieces) {
    const ended = ((open.get(stream) ?? '') + text).split('\n');
    open.set(stream, ended.pop() ?? '');
    for (const line of ended) lines.push({ stream, text: line });
  }
  for (const [stream, text] of open) if (text !== '') lines.push({ stream, text });
  return lines;
}
