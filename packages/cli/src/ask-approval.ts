import type { ApprovalAnswer, ApprovalRequest, Approver } from '@toolpost/host';
import { approvalText } from './approval-question.ts';
import type { ShownRow } from './shown-preview.ts';
import type { TerminalQuestions } from './terminal-questions.ts';
import type { TerminalStyle } from './terminal-style.ts';

/** Ends any style that was left open before. */
const RESET = '\u001b[0m';

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
  const { what, reason, rows, isCut } = approvalText(request, { isWhole });
  const lines = [`${style.strong(`Allow ${what}?`)} ${style.faint(`(${reason})`)}`, ...rows.map(painted)];
  questions.say(`${RESET}\n${lines.join('\n')}\n`);
  return isCut;

  function painted({ text, tone }: ShownRow): string {
    return `  ${tone === 'plain' ? text : style[tone](text)}`;
  }
}
