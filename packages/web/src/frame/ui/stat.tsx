import type { ReactNode } from 'react';
import { asNode } from './as-text.ts';
import { Sparkline } from './sparkline.tsx';
import { type Tone, toTone } from './tone.ts';

interface StatProps {
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly unit?: string;
  /** How it changed, as a text ("+4 %") or a number. */
  readonly change?: string | number;
  /** Whether the change is good; by its sign when it is not said. */
  readonly tone?: string;
  readonly hint?: ReactNode;
  /** Its course, drawn small. */
  readonly values?: readonly number[];
}

export function Stat({ label, value, unit, change, tone, hint, values }: StatProps) {
  return (
    <div className="ui-stat">
      <span className="ui-stat-label">{asNode(label)}</span>
      <span className="ui-stat-value">
        {asNode(value)}
        {unit !== undefined && <small> {unit}</small>}
      </span>
      {(change !== undefined || hint !== undefined) && (
        <span className="ui-stat-more">
          {change !== undefined && <Change change={change} tone={tone} />}
          {hint !== undefined && <span className="ui-dim">{asNode(hint)}</span>}
        </span>
      )}
      {values !== undefined && <Sparkline values={values} />}
    </div>
  );
}

function Change({ change, tone }: { readonly change: string | number; readonly tone: string | undefined }) {
  const text = typeof change === 'number' ? `${change > 0 ? '+' : ''}${change}` : change;
  const isDown = /^\s*[-−▼↓]/.test(text);
  const isUp = /^\s*[+▲↑]/.test(text);
  const known: Tone = tone === undefined ? (isDown ? 'bad' : isUp ? 'good' : 'neutral') : toTone(tone);
  return (
    <span className={`ui-change is-${known}`}>
      {(isUp || isDown) && <span aria-hidden="true">{isDown ? '▾ ' : '▴ '}</span>}
      {text}
    </span>
  );
}
