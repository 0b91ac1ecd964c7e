import type { ApprovalAnswer, ApprovalRequest, Approver, Ask, FormRequest } from '@toolpost/host';
import { AnsweredElsewhere } from '../../answered-elsewhere.ts';
import { whyTakenBack } from './runs-out.ts';

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

interface Posed<Answer> {
  /** What it comes to when it is taken back. */
  readonly ifGone: Answer;
  readonly name: string;
  readonly abortSignal: AbortSignal | undefined;
  /** In ms since 1970. */
  readonly expiresAt: number | undefined;
}

/** `notice`: gets what a person should know, as one line. */
export function createQuestionDesk(notice: (text: string) => void): QuestionDesk {
  const queue: OpenQuestion[] = [];
  const listeners = new Set<() => void>();
  let view = NOTHING;
  let quiet: NodeJS.Timeout | undefined;

  /** Shows what is the first question now. A new one takes no keys before it was seen. */
  function show(): void {
    const [question] = queue;
    const isSame = question === view.question;
    if (!isSame) stopWaiting();
    const takesKeys = isSame && view.takesKeys;
    tell(question ? { question, takesKeys, waiting: queue.length - 1 } : NOTHING);
  }

  function tell(next: DeskView): void {
    view = next;
    for (const listener of listeners) listener();
  }

  function stopWaiting(): void {
    clearTimeout(quiet);
    quiet = undefined;
  }

  function waitForQuiet(): void {
    if (view.question === undefined || view.takesKeys) return;
    stopWaiting();
    quiet = setTimeout(() => tell({ ...view, takesKeys: true }), QUIET_MS);
  }

  function pose<Answer>(
    make: (answer: (given: Answer) => void) => OpenQuestion,
    { ifGone, name, abortSignal, expiresAt }: Posed<Answer>,
  ): Promise<Answer> {
    if (abortSignal?.aborted) return Promise.resolve(ifGone);
    return new Promise((resolve) => {
      let isOpen = true;
      const settle = (answer: Answer) => {
        if (!isOpen) return;
        isOpen = false;
        abortSignal?.removeEventListener('abort', onAbort);
        queue.splice(queue.indexOf(question), 1);
        show();
        resolve(answer);
      };
      const question = make(settle);
      const onAbort = () => {
        const reason: unknown = abortSignal?.reason;
        settle(ifGone);
        if (reason instanceof AnsweredElsewhere) notice(`${name}: ${whyTakenBack({ expiresAt }, reason.message)}`);
      };
      abortSignal?.addEventListener('abort', onAbort, { once: true });
      queue.push(question);
      show();
    });
  }

  return {
    approve: (request, abortSignal) =>
      pose<ApprovalAnswer>((answer) => ({ kind: 'approval', request, answer }), {
        ifGone: { answer: 'no', by: 'terminal' },
        name: `the question about ${request.name}`,
        ...{ abortSignal, expiresAt: request.expiresAt },
      }),
    ask: (_form, request) =>
      pose<FormAnswer>((answer) => ({ kind: 'form', request, answer }), {
        ifGone: { action: 'cancel' },
        name: `the form of ${request.name}`,
        ...{ abortSignal: request.abortSignal, expiresAt: request.expiresAt },
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
