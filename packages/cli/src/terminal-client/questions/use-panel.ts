import { useInput, usePaste } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import { cellsOf } from '../input/cells.ts';
import { keysOf, type PressedKey } from '../input/keys.ts';

export interface PanelKeys<State> {
  readonly first: State;
  /** Whether keys count. */
  readonly takesKeys: boolean;
  /** The panel stands on the screen. */
  readonly onDrawn: () => void;
  /** The state after a key; undefined when the panel is done. */
  press(state: State, key: PressedKey): State | undefined;
  paste(state: State, text: string): State;
}

/** The state of a panel, changed by keys: also by several that come before it is drawn again. */
export function usePanel<State>({ first, takesKeys, onDrawn, press, paste }: PanelKeys<State>): State {
  const state = useRef<State | undefined>(first);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const shown = useRef(first);
  const set = (next: State | undefined) => {
    state.current = next;
    shown.current = next ?? shown.current;
    redraw();
  };
  useEffect(onDrawn, [onDrawn]);
  useInput(
    (input, key) => {
      for (const pressed of keysOf(input, key).flatMap(singleKeys))
        if (state.current !== undefined) set(press(state.current, pressed));
    },
    { isActive: takesKeys },
  );
  usePaste((text) => state.current !== undefined && set(paste(state.current, text)), { isActive: takesKeys });
  return shown.current;
}

/** Characters that came together are letters of their own. */
function singleKeys(key: PressedKey): PressedKey[] {
  return key.name === 'text'
    ? cellsOf(key.text).flatMap((cell) => (typeof cell === 'string' ? { ...key, text: cell } : []))
    : [key];
}
