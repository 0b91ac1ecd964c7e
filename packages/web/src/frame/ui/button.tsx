import type { ButtonHTMLAttributes } from 'react';
import { dataAttributes } from './data-attributes.ts';
import { Icon } from './icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'default' | 'primary' | 'danger' | 'quiet';
  readonly icon?: string;
  /** What is told to the tool's plugin when it is pressed, with `data`. */
  readonly action?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function Button({ variant = 'default', icon, action, data, children, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`ui-button is-${variant} ${className}`}
      {...dataAttributes(action, data)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
