import { Fragment } from 'react';
import type { PrintedLine } from '../session/output-tail.ts';
import { plainText } from '../text/plain-text.ts';

/** Lines of what a call printed; those of stderr have a sign. */
export function PrintedLines({ lines }: { readonly lines: readonly PrintedLine[] }) {
  return Array.from(lines.entries(), ([at, { stream, text }]) => (
    <Fragment key={at}>
      {at > 0 && '\n'}
      {stream === 'stderr' ? (
        <span className="stderr">
          <span className="unseen">stderr: </span>
          <span aria-hidden="true">2│ </span>
          {plainText(text)}
        </span>
      ) : (
        plainText(text)
      )}
    </Fragment>
  ));
}
