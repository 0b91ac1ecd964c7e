import { plainLine } from '../text/plain-text.ts';

const OPEN_DEPTH = 4;
const MAX_ITEMS = 200;

/** Any JSON value, its branches opened by a click. */
export function TreeView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <section className="tree" aria-label={label}>
      <Branch name={undefined} value={value} depth={0} />
    </section>
  );
}

interface BranchProps {
  readonly name: string | undefined;
  readonly value: unknown;
  readonly depth: number;
}

function Branch({ name, value, depth }: BranchProps) {
  const label = name === undefined ? null : <span className="tree-key">{plainLine(name)}: </span>;
  if (typeof value !== 'object' || value === null)
    return (
      <div className="tree-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  const entries = Object.entries(value);
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div className="tree-leaf">
        {label}
        {Array.isArray(value) ? '[]' : '{}'}
      </div>
    );
  return (
    <details open={depth < OPEN_DEPTH && entries.length <= 20}>
      <summary>
        {label}
        <span className="tree-size">{summary}</span>
      </summary>
      <div className="tree-branch">
        {entries.slice(0, MAX_ITEMS).map(([key, item]) => (
          <Branch key={key} name={key} value={item} depth={depth + 1} />
        ))}
        {entries.length > MAX_ITEMS && <div className="tree-leaf">… {entries.length - MAX_ITEMS} more</div>}
      </div>
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <span className="tree-text">{JSON.stringify(value)}</span>;
  return <span className={value === null ? 'tree-null' : 'tree-value'}>{String(value)}</span>;
}
