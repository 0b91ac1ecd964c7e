import type { ReactNode } from 'react';
import { asNode } from './as-text.ts';

interface CardProps {
  readonly title?: ReactNode;
  readonly subtitle?: ReactNode;
  /** Stands at the right of the title. */
  readonly actions?: ReactNode;
  readonly footer?: ReactNode;
  readonly children?: ReactNode;
}

export function Card({ title, subtitle, actions, footer, children }: CardProps) {
  const hasHead = title !== undefined || subtitle !== undefined || actions !== undefined;
  return (
    <section className="ui-card">
      {hasHead && (
        <header className="ui-card-head">
          <div>
            {title !== undefined && <h3>{asNode(title)}</h3>}
            {subtitle !== undefined && <p className="ui-dim">{asNode(subtitle)}</p>}
          </div>
          {actions !== undefined && <div className="ui-row">{actions}</div>}
        </header>
      )}
      {children}
      {footer !== undefined && <footer className="ui-card-foot">{footer}</footer>}
    </section>
  );
}
