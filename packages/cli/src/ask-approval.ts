import type { Interface } from 'node:readline';
import type { Approver } from '@toolpost/host';
import { visibleText } from './terminal-text.ts';

/** Asks at the terminal, one question at a time: several calls of a round may need an answer together. */
export function createTerminalApprover(lines: Interface): Approver {
  let queue: Promise<unknown> = Promise.resolve();
  return (request, abortSignal) => {
    const answer = queue.then(async () => {
      const { name, plugin, reason } = request;
      const question = `\u001b[0mAllow ${visibleText(name)} of ${visibleText(plugin)} with ${visibleText(request.arguments)}?\n  (${visibleText(reason)})\n  y = once, s = this session, n = no, or say why not: `;
      const said = (await questionOf(lines, question, abortSignal)).trim();
      if (/^y(es)?$/i.test(said)) return { answer: 'once', by: 'terminal' } as const;
      if (/^s(ession)?$/i.test(said)) return { answer: 'session', by: 'terminal' } as const;
      const isPlainNo = said === '' || /^no?$/i.test(said);
      return { answer: 'no', by: 'terminal', ...(!isPlainNo && { reason: said }) } as const;
    });
    queue = answer.catch(() => undefined);
    return answer;
  };
}

/** The input's end is no answer, and none is a no. */
function questionOf(lines: Interface, question: string, abortSignal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve) => {
    const end = () => resolve('');
    lines.once('close', end);
    const take = (said: string) => {
      lines.off('close', end);
      resolve(said);
    };
    if (abortSignal?.aborted) take('');
    else lines.question(question, abortSignal ? { signal: abortSignal } : {}, take);
    abortSignal?.addEventListener('abort', () => take(''), { once: true });
  });
}
