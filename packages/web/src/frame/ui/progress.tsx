import { useId } from 'react';

interface ProgressProps {
  /** Nothing when it is not known how far it is. */
  readonly value?: number;
  readonly max?: number;
  readonly label?: string;
}

export function Progress({ value, max = 100, label = 'Progress' }: ProgressProps) {
  const id = useId();
  return (
    <div className="ui-progress">
      <label htmlFor={id}>{label}</label>
      <progress id={id} max={max} {...(value !== undefined && { value })} />
      {value !== undefined && <span className="ui-number">{Math.round((100 * value) / (max || 1))} %</span>}
    </div>
  );
}
