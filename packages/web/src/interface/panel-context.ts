import { createContext, useContext } from 'react';
import type { CallEntry } from '../session/entries.ts';

/** Which call's interface stands beside the conversation. */
export interface Panel {
  readonly openKey: number | undefined;
  open(call: CallEntry): void;
}

export const PanelContext = createContext<Panel>({ openKey: undefined, open: () => undefined });

export function usePanelContext(): Panel {
  return useContext(PanelContext);
}
