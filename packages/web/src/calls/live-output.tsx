import type { OutputPiece } from '../session/entries.ts';
import { lastLines, plainText } from '../text/plain-text.ts';

const SHOWN_LINES = 8;

/** The last lines that a call has printed so far. */
export function LiveOutput({ pieces }: { readonly pieces: readonly OutputPiece[] }) {
  if (pieces.length === 0) return null;
  const text = lastLines(plainText(pieces.map((piece) => piece.text).join('')), SHOWN_LINES);
  return <pre className="live-output plain">{text}</pre>;
}
