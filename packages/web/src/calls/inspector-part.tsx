import type { ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';

interface InspectorPartProps {
  readonly title: string;
  /** What is copied at its button; none without. */
  readonly copy?: string | (() => Promise<string>);
  readonly children: ReactNode;
}

export function InspectorPart({ title, copy, children }: InspectorPartProps) {
  return (
    <section className="part">
      <h3>
        {title} {copy !== undefined && <CopyButton text={copy} what={title.toLowerCase()} />}
      </h3>
      {children}
    </section>
  );
}
