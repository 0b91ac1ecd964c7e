import type { Instance } from 'ink';
import type { ReactNode } from 'react';
import type { FrameWidths } from '../frame-widths.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

interface Drawing {
  readonly ink: Instance;
  readonly frame: FrameWidths;
  draw(size: ScreenSize): ReactNode;
}

/**
 * Draws anew when the terminal gets another size, before Ink's own listener does: that would draw what was made for the
 * size before. Returns its end.
 *
 * A terminal that gets narrower breaks the rows of the frame that stands there. Ink erases as many rows as it has drawn, and
 * the others would stay; XTerm itself breaks none.
 */
export function redrawOnResize(stdout: NodeJS.WriteStream, { ink, frame, draw }: Drawing): () => void {
  const breaksRows = process.env.XTERM_VERSION === undefined;
  let { columns } = stdout;
  const onResize = () => {
    const extra = breaksRows && stdout.columns < columns ? frame.extraRows(stdout.columns) : 0;
    columns = stdout.columns;
    if (extra > 0) {
      ink.clear();
      stdout.write(`\u001b[${extra}A\r\u001b[J`);
    }
    ink.rerender(draw(sizeOf(stdout)));
  };
  stdout.prependListener('resize', onResize);
  return () => stdout.off('resize', onResize);
}

/** A terminal that does not know its size says 0. */
export function sizeOf({ columns, rows }: NodeJS.WriteStream): ScreenSize {
  return { columns: columns || 80, rows: rows || 24 };
}
