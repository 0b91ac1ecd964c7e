import type { ApprovalAnswer, ApprovalRequest, Approver, Ask, FormRequest } from '@toolpost/host';
import { AnsweredElsewhere } from '../../answered-elsewhere.ts';

type FormAnswer = Awaited<ReturnType<Ask>>;

/** A question that is before the person. Its first answer counts. */
export type OpenQuestion =
  | { readonly kind: 'approval'; readonly request: ApprovalRequest; answer(given: ApprovalAnswer): void }
  | { readonly kind: 'form'; readonly request: FormRequest; answer(given: FormAnswer): void };

/** What is shown of the questions. It is replaced when it changes. */
export interface DeskView {
  readonly question: OpenQuestion | undefined;
  /** Whether keys answer it: not before it was seen. */
  readonly takesKeys: boolean;
  /** Questions behind it. */
  readonly waiting: number;
}

/** The questions of a chat, one after the other. */
export interface QuestionDesk {
  readonly approve: Approver;
  readonly ask: Ask;
  readonly view: DeskView;
  subscribe(listener: () => void): () => void;
  /** The open question stands on the screen. */
  drawn(): void;
  /** A key came that is no answer: whoever types has not seen the question yet. */
  keyPressed(): void;
}

/** So long no key has come since a question was drawn: what was being typed is no answer to it. */
const QUIET_MS = 300;
const NOTHING: DeskView = { question: undefined, takesKeys: false, waiting: 0 };

/** `notice`: gets what a person should know, as one line. */
export function createQuestionDesk(notice: (text: string) => void): QuestionDesk {
  const queue: OpenQuestion[] = [];
  const listeners = new Set<() => void>();
  let view = NOTHING;
  let quiet: NodeJS.Timeout | undefined;

  function show(takesKeys: boolean): void {
    clearTimeout(quiet);
    quiet = undefined;
    view = queue.length === 0 ? NOTHING : { question: queue[0], takesKeys, waiting: queue.length - 1 };
    for (const listener of listeners) listener();
  }

  function waitForQuiet(): void {
    if (view.question === undefined || view.takesKeys) return;
    clearTimeout(quiet);
    quiet = setTimeout(() => show(true), QUIET_MS);
  }

  function remove(question: OpenQuestion): void {
    const at = queue.indexOf(question);
    queue.splice(at, 1);
    show(at === 0 ? false : view.takesKeys);
  }

  function pose<Answer>(
    make: (answer: (given: Answer) => void) => OpenQuestion,
    { ifGone, name, abortSignal }: { ifGone: Answer; name: string; abortSignal: AbortSignal | undefined },
  ): Promise<Answer> {
    if (abortSignal?.aborted) return Promise.resolve(ifGone);
    return new Promise((resolve) => {
      let isOpen = true;
      const settle = (answer: Answer) => {
        if (!isOpen) return;
        isOpen = false;
        abortSignal?.removeEventListener('abort', onAbort);
        remove(question);
        resolve(answer);
      };
      const question = make(settle);
      const onAbort = () => {
        const reason: unknown = abortSignal?.reason;
        settle(ifGone);
        if (reason instanceof AnsweredElsewhere) notice(`${name}: ${reason.message}`);
      };
      abortSignal?.addEventListener('abort', onAbort, { once: true });
      queue.push(question);
      show(queue.length === 1 ? false : view.takesKeys);
    });
  }

  return {
    approve: (request, abortSignal) =>
      pose<ApprovalAnswer>((answer) => ({ kind: 'approval', request, answer }), {
        ifGone: { answer: 'no', by: 'terminal' },
        name: `the question about ${request.name}`,
        abortSignal,
      }),
    ask: (_form, request) =>
      pose<FormAnswer>((answer) => ({ kind: 'form', request, answer }), {
        ifGone: { action: 'cancel' },
        name: `the form of ${request.name}`,
        abortSignal: request.abortSignal,
      }),
    get view() {
      return view;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drawn: waitForQuiet,
    keyPressed: waitForQuiet,
  };
}
