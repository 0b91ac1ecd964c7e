import type { Approver } from '@toolpost/host';
import type { TerminalQuestions } from './terminal-questions.ts';
import { visibleText } from './terminal-text.ts';

/** Asks at the terminal whether a call may run. No answer is a no. */
export function createTerminalApprover(questions: TerminalQuestions): Approver {
  return (request, abortSignal) =>
    questions.inTurn(async () => {
      const { name, plugin, reason } = request;
      const question = `\u001b[0mAllow ${visibleText(name)} of ${visibleText(plugin)} with ${visibleText(request.arguments)}?\n  (${visibleText(reason)})\n  y = once, s = this session, n = no, or say why not: `;
      const said = ((await questions.ask(question, abortSignal)) ?? '').trim();
      if (/^y(es)?$/i.test(said)) return { answer: 'once', by: 'terminal' } as const;
      if (/^s(ession)?$/i.test(said)) return { answer: 'session', by: 'terminal' } as const;
      const isPlainNo = said === '' || /^no?$/i.test(said);
      return { answer: 'no', by: 'terminal', ...(!isPlainNo && { reason: said }) } as const;
    });
}
