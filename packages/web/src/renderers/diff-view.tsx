import { useMemo, useState } from 'react';
import { TokenLine } from '../text/code-lines.tsx';
import { plural } from '../text/format.ts';
import { languageOfFile, type Token } from '../text/highlight.ts';
import { spelledOut } from '../text/plain-text.ts';
import { useHighlight } from '../text/use-highlight.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { type DiffRow, type FileDiff, pairRows, parseDiffFiles } from './parse-diff.ts';

const SHOWN_ROWS = 24;
const SHOWN_FILES = 10;
/** A line that nobody reads to its end must not hold up the page: the whole of it is in what is copied. */
export const MAX_LINE_CHARS = 2000;
const LAYOUT = 'toolpost-diff-layout';

type Layout = 'inline' | 'side by side';
type Colours = ReadonlyMap<DiffRow, readonly Token[]>;

/** A unified diff with line numbers, file by file. Text that is none is shown as it is. */
export function DiffView({ diff }: { readonly diff: string }) {
  const files = useMemo(() => parseDiffFiles(diff), [diff]);
  const [isOpen, setOpen] = useState(false);
  const [layout, setLayout] = useLayout();
  if (files.length === 0) return <pre className="plain">{spelledOut(diff)}</pre>;
  const shown = isOpen ? files : files.slice(0, SHOWN_FILES);
  const hidden = files.length - shown.length;
  return (
    <div className="diffs">
      {Array.from(shown.entries(), ([at, file]) => (
        <FileChange key={at} file={file} layout={layout} {...(at === 0 && { onLayout: setLayout })} />
      ))}
      {hidden > 0 && (
        <button type="button" className="quiet more-rows" onClick={() => setOpen(true)}>
          Show {plural(hidden, 'more file')}
        </button>
      )}
    </div>
  );
}

/** Kept for the next diff; undefined where there is no room for a choice. */
function useLayout(): readonly [Layout | undefined, (layout: Layout) => void] {
  const isNarrow = useNarrow();
  const [layout, setLayout] = useState<Layout>(() =>
    localStorage.getItem(LAYOUT) === 'side by side' ? 'side by side' : 'inline',
  );
  function choose(other: Layout): void {
    localStorage.setItem(LAYOUT, other);
    setLayout(other);
  }
  return [isNarrow ? undefined : layout, choose];
}

interface FileChangeProps {
  readonly file: FileDiff;
  readonly layout: Layout | undefined;
  /** It is chosen for all files at the first of them. */
  readonly onLayout?: (layout: Layout) => void;
}

function FileChange({ file: { rows, path, text }, layout, onLayout }: FileChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const colours = useColours(rows, path);
  const hidden = rows.length - SHOWN_ROWS;
  const shown = isOpen || hidden < 4 ? rows : rows.slice(0, SHOWN_ROWS);
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const other: Layout = layout === 'inline' ? 'side by side' : 'inline';
  return (
    <figure className="diff">
      <figcaption>
        <span className="diff-path">{path === undefined ? 'Change' : spelledOut(path)}</span>
        <span className="diff-counts">
          <span className="added">+{count('added')}</span> <span className="removed">−{count('removed')}</span>
        </span>
        {layout && onLayout && (
          <button type="button" className="quiet diff-layout" onClick={() => onLayout(other)}>
            Show {other}
          </button>
        )}
        <CopyButton text={text} what="the diff" />
      </figcaption>
      <ScrollBox label={`Change of ${path ?? 'a file'}`}>
        {layout === 'side by side' ? (
          <SideBySide rows={shown} colours={colours} />
        ) : (
          <Inline rows={shown} colours={colours} />
        )}
      </ScrollBox>
      {shown.length < rows.length && (
        <button type="button" className="quiet more-rows" onClick={() => setOpen(true)}>
          Show {plural(hidden, 'more line')}
        </button>
      )}
    </figure>
  );
}

/** Both sides are highlighted as wholes, so that a comment over several lines is one. */
function useColours(rows: readonly DiffRow[], path: string | undefined): Colours {
  const language = languageOfFile(path ?? '');
  const sides = useMemo(() => {
    const before = rows.filter(({ kind }) => kind === 'same' || kind === 'removed');
    const after = rows.filter(({ kind }) => kind === 'same' || kind === 'added');
    const textOf = (some: readonly DiffRow[]) => some.map(({ text }) => spelledOut(text)).join('\n');
    return { before, after, beforeText: textOf(before), afterText: textOf(after) };
  }, [rows]);
  const before = useHighlight(sides.beforeText, language);
  const after = useHighlight(sides.afterText, language);
  return useMemo(() => {
    const colours = new Map<DiffRow, readonly Token[]>();
    for (const [index, row] of sides.before.entries()) colours.set(row, before?.[index] ?? []);
    for (const [index, row] of sides.after.entries()) if (after?.[index]) colours.set(row, after[index]);
    return colours;
  }, [sides, before, after]);
}

const SIGNS = { same: ' ', removed: '−', added: '+', note: ' ' } as const;
const SPOKEN = { same: '', removed: 'removed: ', added: 'added: ', note: '' } as const;

function Inline({ rows, colours }: { readonly rows: readonly DiffRow[]; readonly colours: Colours }) {
  return (
    <table className="diff-table">
      <tbody>
        {Array.from(rows.entries(), ([at, row]) => (
          <tr key={at} className={row.kind}>
            <td className="line-number">{'before' in row ? row.before : ''}</td>
            <td className="line-number">{'after' in row ? row.after : ''}</td>
            <Code row={row} colours={colours} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SideBySide({ rows, colours }: { readonly rows: readonly DiffRow[]; readonly colours: Colours }) {
  return (
    <table className="diff-table side-by-side">
      <tbody>
        {Array.from(pairRows(rows).entries(), ([at, { left, right }]) => (
          <tr key={at}>
            <Half row={left} number={left && 'before' in left ? left.before : undefined} colours={colours} />
            <Half row={right} number={right && 'after' in right ? right.after : undefined} colours={colours} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HalfProps {
  readonly row: DiffRow | undefined;
  readonly number: number | undefined;
  readonly colours: Colours;
}

function Half({ row, number, colours }: HalfProps) {
  if (!row) return <td className="absent" colSpan={2} />;
  return (
    <>
      <td className={`line-number ${row.kind}`}>{number ?? ''}</td>
      <Code row={row} colours={colours} />
    </>
  );
}

function Code({ row, colours }: { readonly row: DiffRow; readonly colours: Colours }) {
  const tokens = colours.get(row);
  return (
    <td className={`line ${row.kind}`}>
      <span className="sign" aria-hidden="true">
        {SIGNS[row.kind]}
      </span>
      <span className="unseen">{SPOKEN[row.kind]}</span>
      {tokens && tokens.length > 0 ? <TokenLine tokens={tokens} /> : clipped(spelledOut(row.text))}
    </td>
  );
}

function clipped(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}… ${line.length - MAX_LINE_CHARS} more` : line;
}
