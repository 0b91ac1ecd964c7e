import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';
import type { Theme } from '../draw/theme.ts';
import { ApprovalPanel } from './approval-panel.tsx';
import { FormPanel } from './form-panel.tsx';
import type { QuestionDesk } from './question-desk.ts';

export interface QuestionPanelProps {
  readonly desk: QuestionDesk;
  readonly theme: Theme;
  readonly columns: number;
  /** At most so many rows for what the question is about. */
  readonly maxRows: number;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
}

/** The question that a person has to answer now; nothing when there is none. */
export function QuestionPanel({ desk, ...look }: QuestionPanelProps): ReactNode {
  const view = useSyncExternalStore(desk.subscribe, () => desk.view);
  const { question, takesKeys, waiting } = view;
  if (!question) return undefined;
  const shown = { ...look, takesKeys, waiting, onDrawn: desk.drawn };
  return question.kind === 'approval' ? (
    <ApprovalPanel key={question.request.approvalId} {...shown} request={question.request} onAnswer={question.answer} />
  ) : (
    <FormPanel key={question.request.formId} {...shown} request={question.request} onAnswer={question.answer} />
  );
}
