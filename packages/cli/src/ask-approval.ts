import type { ApprovalAnswer, ApprovalRequest, Approver } from '@toolpost/host';
import { shownArguments } from './shown-arguments.ts';
import { shownPreview } from './shown-preview.ts';
import type { TerminalQuestions } from './terminal-questions.ts';
import type { TerminalStyle } from './terminal-style.ts';
import { visibleText } from './terminal-text.ts';

/** Ends any style that was left open before. */
const RESET = '\u001b[0m';
/** What the diffs of the built-in tools show. */
const IN_DIFF = ['old_string', 'new_string', 'content'];

/** Asks at the terminal whether a call may run. No answer is a no. */
export function createTerminalApprover(questions: TerminalQuestions, style: TerminalStyle): Approver {
  return (request, abortSignal) =>
    questions.inTurn(async () => {
      let isCut = abortSignal?.aborted !== true && say(questions, request, { style, isWhole: false });
      for (;;) {
        const said = ((await questions.ask(promptOf(request, isCut, style), abortSignal)) ?? '').trim();
        if (/^v(iew)?$/i.test(said)) isCut = say(questions, request, { style, isWhole: true });
        const answer = readAnswer(said, request);
        if (answer) return answer;
      }
    });
}

/** Undefined for a letter that is no answer: nobody says why not in one. */
function readAnswer(said: string, { mayBeKept }: ApprovalRequest): ApprovalAnswer | undefined {
  if (/^(?:y(?:es)?|once)$/i.test(said)) return { answer: 'once', by: 'terminal' };
  if (/^s(?:ession)?$/i.test(said)) return { answer: 'session', by: 'terminal' };
  if (mayBeKept && /^a(?:lways)?$/i.test(said)) return { answer: 'always', by: 'terminal' };
  if (said === '' || /^no?$/i.test(said)) return { answer: 'no', by: 'terminal' };
  if (said.length === 1 || /^(?:view|always)$/i.test(said)) return undefined;
  return { answer: 'no', by: 'terminal', reason: said };
}

function promptOf({ mayBeKept }: ApprovalRequest, isCut: boolean, { strong }: TerminalStyle): string {
  const always = mayBeKept ? `${strong('a')} = always here, ` : '';
  const view = isCut ? `${strong('v')} = view all, ` : '';
  return `  ${strong('y')} = once, ${strong('s')} = this session, ${always}${view}${strong('n')} = no, or say why not: `;
}

/** Shows what the question is about. Returns whether there is more than was shown. */
function say(
  questions: TerminalQuestions,
  request: ApprovalRequest,
  { style, isWhole }: { style: TerminalStyle; isWhole: boolean },
): boolean {
  const { plugin, reason, preview } = request;
  const isOurs = plugin === 'builtin';
  const isSaidAlready = preview === undefined || isArgument(preview, request.arguments);
  const more = isSaidAlready ? undefined : shownPreview(preview, isWhole, style);
  // A change deep in a long line may not be seen in the diff: there the arguments speak for themselves.
  const isInDiff = isOurs && !isWhole && more?.isPlainDiff === true;
  const input = shownArguments(request.arguments, { isWhole, without: isInDiff ? IN_DIFF : [] });
  const lines = [
    `${style.strong(`Allow ${whatOf(request)}?`)} ${style.faint(`(${visibleText(reason)})`)}`,
    ...input.lines.map((line) => `  ${line}`),
    ...(more && !isOurs ? [style.faint(`  preview, as ${visibleText(plugin)} tells it:`)] : []),
    ...(more?.lines.map((line) => `    ${isOurs ? '' : '│ '}${line}`) ?? []),
  ];
  questions.say(`${RESET}\n${lines.join('\n')}\n`);
  return input.isCut || more?.isCut === true;
}

/** Never the name alone: another plugin's `edit` is not the built-in one. */
function whatOf({ plugin, name }: ApprovalRequest): string {
  return plugin === 'builtin'
    ? `the built-in ${visibleText(name)}`
    : `${visibleText(name)} of plugin ${visibleText(plugin)}`;
}

/** The preview of `bash` is the command, which is among the arguments. */
function isArgument(preview: string, argumentsText: string): boolean {
  return Object.values(JSON.parse(argumentsText)).includes(preview);
}
