import type { ReactNode } from 'react';

interface GridProps {
  /** The width in pixels below which a cell goes to the next row. */
  readonly min?: number;
  readonly columns?: number;
  readonly children?: ReactNode;
}

/** Cells of one width, as many in a row as there is room for. */
export function Grid({ min, columns, children }: GridProps) {
  const share = columns === undefined ? (min ?? 200) : (min ?? Math.max(140, Math.floor(640 / columns)));
  const gridTemplateColumns = `repeat(auto-fit, minmax(min(${share}px, 100%), 1fr))`;
  return (
    <div className="ui-grid" style={{ gridTemplateColumns }}>
      {children}
    </div>
  );
}

/** One below the other, or beside it. */
export function Stack({
  direction = 'column',
  children,
}: {
  readonly direction?: 'column' | 'row';
  readonly children?: ReactNode;
}) {
  return <div className={direction === 'row' ? 'ui-row' : 'ui-stack'}>{children}</div>;
}
