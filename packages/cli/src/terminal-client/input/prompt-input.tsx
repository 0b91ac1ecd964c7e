import { Box, useInput, usePaste } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { cutLine, type Line, span } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import { keysOf } from './keys.ts';
import type { PromptAct, PromptEditor } from './prompt-editor.ts';
import { PROMPT_MARK, promptLines } from './prompt-lines.ts';
import { Rows } from './rows.tsx';
import { suggestionLines } from './suggestion-lines.ts';

export interface PromptInputProps {
  readonly editor: PromptEditor;
  readonly theme: Theme;
  /** Of the terminal. */
  readonly columns: number;
  /** At most so many rows for the text, and for the list below it. */
  readonly maxRows: number;
  /** Whether keys come here. What was written stands there in any case. */
  readonly isActive: boolean;
  /** Stands there while nothing is written. */
  readonly hint: string;
  /** What was sent while a turn runs, and waits for its end. */
  readonly queued: readonly string[];
  readonly onAct: (act: PromptAct) => void;
  /** A key came, whatever it did. */
  readonly onKey?: () => void;
}

/** Where a person writes: several lines, a list of what may be meant, and above them what waits to be sent. */
export function PromptInput(props: PromptInputProps): ReactNode {
  const { editor, theme, columns, maxRows, isActive, hint, queued } = props;
  const { text, menu } = useSyncExternalStore(editor.subscribe, () => editor.view);
  // A column is left for the cursor behind the last character.
  const width = Math.max(4, columns - PROMPT_MARK.length - 1);
  editor.setColumns(width);
  useKeys(props);
  const waiting = queued.map(
    (one): Line => cutLine([span(`○ ${one}`, theme.faint), span('  queued', theme.faint)], columns),
  );
  const rows = promptLines(text, { ...{ columns: width, maxRows, theme, hint }, hasCursor: isActive });
  return (
    <Box flexDirection="column">
      <Rows lines={waiting} />
      <Rows lines={rows} />
      {menu && isActive ? <Rows lines={suggestionLines(menu, { columns, maxRows, theme })} /> : undefined}
    </Box>
  );
}

function useKeys({ editor, isActive, onAct, onKey }: PromptInputProps): void {
  useInput(
    (input, key) => {
      onKey?.();
      for (const pressed of keysOf(input, key)) {
        const act = editor.press(pressed);
        if (act) onAct(act);
      }
    },
    { isActive },
  );
  usePaste(
    (pasted) => {
      onKey?.();
      editor.paste(pasted);
    },
    { isActive },
  );
}
