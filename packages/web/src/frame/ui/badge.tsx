import type { ReactNode } from 'react';
import { asNode } from './as-text.ts';
import { SIGNS, toTone } from './tone.ts';

/** A word about the state of something. */
export function Badge({ tone, children }: { readonly tone?: string; readonly children?: ReactNode }) {
  const known = toTone(tone);
  return (
    <span className={`ui-badge is-${known}`}>
      {SIGNS[known] !== '' && <span aria-hidden="true">{SIGNS[known]}</span>}
      {asNode(children)}
    </span>
  );
}
