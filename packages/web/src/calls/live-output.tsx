import { useMemo, useState } from 'react';
import type { Printed } from '../session/entries.ts';
import { linesOf } from '../session/output-tail.ts';
import { plural } from '../text/format.ts';
import { PrintedLines } from './printed-lines.tsx';

const SHOWN_LINES = 8;

/** The last lines that a call has printed so far, or as many as this page has kept. */
export function LiveOutput({ output: { pieces, droppedLines } }: { readonly output: Printed }) {
  const [isOpen, setOpen] = useState(false);
  const lines = useMemo(() => linesOf(pieces), [pieces]);
  const above = droppedLines + lines.length - SHOWN_LINES;
  if (lines.length === 0) return null;
  return (
    <div className="live-output">
      {above > 0 && (
        <button type="button" className="quiet more-rows" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show the end' : `Show ${plural(above, 'line')} above`}
        </button>
      )}
      {isOpen && droppedLines > 0 && (
        <p className="dim">{plural(droppedLines, 'line')} before these: in the result, when it ends</p>
      )}
      <pre className="plain">
        <PrintedLines lines={isOpen ? lines : lines.slice(-SHOWN_LINES)} />
      </pre>
    </div>
  );
}
