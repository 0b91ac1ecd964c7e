import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { asNode } from './as-text.ts';
import { SIGNS, toTone } from './tone.ts';

interface ToastProps {
  readonly open?: boolean;
  readonly tone?: string;
  readonly children?: ReactNode;
  readonly onClose?: () => void;
  readonly durationMs?: number;
}

/** A sentence that goes again by itself. */
export function Toast({ open = true, tone, children, onClose, durationMs = 5_000 }: ToastProps) {
  const close = useEffectEvent(() => onClose?.());
  useEffect(() => {
    if (!open) return undefined;
    const timer = setTimeout(close, durationMs);
    return () => clearTimeout(timer);
  }, [open, durationMs]);
  const known = toTone(tone);
  return (
    <div className="ui-toast-place" role="status">
      {open && (
        <p className={`ui-toast is-${known}`}>
          {SIGNS[known] !== '' && <span aria-hidden="true">{SIGNS[known]}</span>} {asNode(children)}
        </p>
      )}
    </div>
  );
}
