import type { ApprovalRequest } from '@toolpost/host';
import { shownArguments } from './shown-arguments.ts';
import { type ShownChange, type ShownRow, shownPreview } from './shown-preview.ts';
import { visibleText } from './terminal-text.ts';

/** What the diffs of the built-in tools show. */
const IN_DIFF = ['old_string', 'new_string', 'content'];

/** What a permission question says, one row a line, with nothing hidden. */
export interface ApprovalText {
  /** Never the name alone: another plugin's `edit` is not the built-in one. */
  readonly what: string;
  /** The rule or default that asks. */
  readonly reason: string;
  readonly rows: readonly ShownRow[];
  /** What the call would change, below the rows; each of its lines begins with `mark`. */
  readonly change: ShownChange | undefined;
  /** What tells the words of a plugin from ours. */
  readonly mark: string;
  /** Whether there is more than was shown. */
  readonly isCut: boolean;
}

export function approvalText(request: ApprovalRequest, { isWhole }: { isWhole: boolean }): ApprovalText {
  const { plugin, name, reason, preview } = request;
  const isOurs = plugin === 'builtin';
  const isSaidAlready = preview === undefined || isArgument(preview, request.arguments);
  const more = isSaidAlready ? undefined : shownPreview(preview, isWhole);
  // A change deep in a long line may not be seen in the diff: there the arguments speak for themselves.
  const isInDiff = isOurs && more?.isPlainDiff === true;
  const input = shownArguments(request.arguments, { isWhole, without: isInDiff ? IN_DIFF : [] });
  const mark = isOurs ? '  ' : '  │ ';
  return {
    what: isOurs ? `the built-in ${visibleText(name)}` : `${visibleText(name)} of plugin ${visibleText(plugin)}`,
    reason: visibleText(reason),
    rows: [
      ...input.lines.map((text): ShownRow => ({ text, tone: 'plain' })),
      ...(more && !isOurs ? [{ text: `preview, as ${visibleText(plugin)} tells it:`, tone: 'faint' } as const] : []),
      ...(more?.rows ?? [])
        .filter((row) => !isInDiff || !isFileHeading(row))
        .map(({ text, tone }) => ({ text: `${mark}${text}`, tone })),
    ],
    change: more?.change,
    mark,
    isCut: input.isCut || more?.isCut === true,
  };
}

/** Which file it is stands among the arguments. */
function isFileHeading({ text, tone }: ShownRow): boolean {
  return tone === 'faint' && /^(?:---|\+\+\+) /.test(text);
}

/** The preview of `bash` is the command, which is among the arguments. */
function isArgument(preview: string, argumentsText: string): boolean {
  return Object.values(JSON.parse(argumentsText)).includes(preview);
}
