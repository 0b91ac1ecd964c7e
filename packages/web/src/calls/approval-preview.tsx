import { DiffView, MAX_LINE_CHARS } from '../renderers/diff-view.tsx';
import { parseDiff } from '../renderers/parse-diff.ts';
import type { Approval } from '../session/entries.ts';
import { CodeBlock } from '../text/code-block.tsx';
import { spelledOut } from '../text/plain-text.ts';
import { indentedJson } from './indented-json.ts';

/** What the built-in tools leave out of a preview, they say at the end of a line. */
const LEFT_OUT = /\(\d+ more \w+\)$/m;

/**
 * What a call would do. The host answers for the previews of its own tools alone: any other is marked as the words of its
 * plugin, and stands below the arguments, which are what is allowed.
 */
export function ApprovalPreview({ approval }: { readonly approval: Approval }) {
  const { preview, plugin, arguments: given } = approval;
  if (preview === undefined) return <Arguments given={given} />;
  if (plugin === 'builtin')
    return (
      <>
        <Preview text={preview} />
        <Arguments given={given} isFolded={saysAll(preview, given)} />
      </>
    );
  return (
    <>
      <Arguments given={given} />
      <figure className="told-preview">
        <figcaption className="dim">
          Preview, as <strong>{spelledOut(plugin)}</strong> tells it:
        </figcaption>
        <Preview text={preview} />
      </figure>
    </>
  );
}

function Preview({ text }: { readonly text: string }) {
  if (parseDiff(text) !== undefined) return <DiffView diff={text} />;
  return <pre className="preview">{spelledOut(text)}</pre>;
}

interface ArgumentsProps {
  readonly given: string;
  /** Whether they are there at a click alone. */
  readonly isFolded?: boolean;
}

function Arguments({ given, isFolded = false }: ArgumentsProps) {
  if (given.trim() === '{}') return <p className="dim">without arguments</p>;
  return (
    <details open={!isFolded}>
      <summary>Arguments</summary>
      <CodeBlock code={spelledOut(indentedJson(given))} language="json" />
    </details>
  );
}

/** Whether a built-in tool's preview leaves nothing to be read in the arguments: a whole diff, or the one argument itself. */
function saysAll(preview: string, given: string): boolean {
  if (parseDiff(preview) !== undefined)
    return !LEFT_OUT.test(preview) && !preview.split('\n').some((line) => line.length > MAX_LINE_CHARS);
  return indentedJson(given) === JSON.stringify({ command: preview }, null, 2);
}
