import { useState } from 'react';
import { plainLine } from '../text/plain-text.ts';

const OPEN_DEPTH = 4;
const OPEN_ITEMS = 20;
const STEP = 200;
const MAX_CHARS = 2000;

/** Any JSON value, its branches opened by a click. What is closed is not there: a value may be as deep or long as it likes. */
export function TreeView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <section className="tree" aria-label={label}>
      <Item name={undefined} value={value} depth={0} />
    </section>
  );
}

interface ItemProps {
  readonly name: string | undefined;
  readonly value: unknown;
  readonly depth: number;
}

function Item({ name, value, depth }: ItemProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <Branch name={name} value={value} depth={depth} />;
  return (
    <div className="tree-leaf">
      <Key name={name} />
      <Leaf value={value} />
    </div>
  );
}

function Branch({ name, value, depth }: ItemProps & { readonly value: object }) {
  const entries = Object.entries(value);
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= OPEN_ITEMS);
  const [shown, setShown] = useState(STEP);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Key name={name} />
        <span className="tree-size">{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</span>
      </summary>
      {isOpen && (
        <div className="tree-branch">
          {entries.slice(0, shown).map(([key, item]) => (
            <Item key={key} name={key} value={item} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" className="quiet" onClick={() => setShown(shown + STEP)}>
              Show {Math.min(STEP, entries.length - shown)} of {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Key({ name }: Pick<ItemProps, 'name'>) {
  return name === undefined ? null : <span className="tree-key">{plainLine(name).slice(0, MAX_CHARS)}: </span>;
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  if (typeof value !== 'string')
    return <span className={value === null ? 'tree-null' : 'tree-value'}>{String(value)}</span>;
  const text = value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value;
  return <span className="tree-text">{JSON.stringify(text)}</span>;
}
