import type { OutputPiece } from './entries.ts';

/** More than the last lines that are shown; the whole is one request away. */
const MAX_CHARS = 16_384;

/** Adds what a call printed, and lets go of the beginning. */
export function addOutput(pieces: readonly OutputPiece[], { stream, text }: OutputPiece): readonly OutputPiece[] {
  const last = pieces.at(-1);
  const added =
    last?.stream === stream
      ? [...pieces.slice(0, -1), { stream, text: last.text + text }]
      : [...pieces, { stream, text }];
  let excess = added.reduce((sum, piece) => sum + piece.text.length, 0) - MAX_CHARS;
  while (excess > 0) {
    const first = added[0];
    if (!first) break;
    if (first.text.length <= excess) added.shift();
    else added[0] = { ...first, text: first.text.slice(excess) };
    excess -= first.text.length;
  }
  return added;
}
