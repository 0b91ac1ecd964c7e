import { type Cell, cellsOf, LINE_BREAK, type Paste, textOf } from './cells.ts';
import { cleanInput } from './clean-input.ts';
import type { Completer, Suggestion, Suggestions } from './completer.ts';
import { type EditedText, EMPTY_TEXT, insert, lineEnd, replaceCells } from './editing.ts';
import { editingKey } from './editing-keys.ts';
import type { InputHistory } from './input-history.ts';
import type { PressedKey } from './keys.ts';
import { placeInRow } from './layout.ts';
import { createUndo } from './undo.ts';

/** What a key means beyond the text: the client does it. */
export type PromptAct =
  | { readonly kind: 'send'; readonly text: string }
  /** Ctrl-C with nothing written. */
  | { readonly kind: 'interrupt' }
  /** Esc with no list open. */
  | { readonly kind: 'escape' }
  /** Ctrl-D with nothing written. */
  | { readonly kind: 'end' };

export interface OpenMenu extends Suggestions {
  readonly chosen: number;
}

export interface PromptView {
  readonly text: EditedText;
  readonly menu: OpenMenu | undefined;
}

/** What a person writes. It lives as long as the chat, whatever is on the screen. */
export interface PromptEditor {
  /** It is replaced when it changes. */
  readonly view: PromptView;
  subscribe(listener: () => void): () => void;
  press(key: PressedKey): PromptAct | undefined;
  /** A paste that the terminal marked as one. */
  paste(text: string): void;
  /** Columns for the text, that the cursor goes up and down by. */
  setColumns(columns: number): void;
}

/** A longer paste is folded. */
const MAX_OPEN_CHARS = 1000;
const MAX_OPEN_LINES = 8;

export interface PromptEditorOptions {
  readonly history: InputHistory;
  readonly complete: Completer;
}

export function createPromptEditor({ history, complete }: PromptEditorOptions): PromptEditor {
  const listeners = new Set<() => void>();
  const undo = createUndo();
  let view: PromptView = { text: EMPTY_TEXT, menu: undefined };
  let columns = 80;
  /** What Ctrl-Y puts back. */
  let killed: readonly Cell[] = [];
  let completions = 0;

  function show(next: PromptView): void {
    view = next;
    for (const listener of listeners) listener();
  }

  function edit(text: EditedText, { isTyped = false } = {}): void {
    const hasChanged = text.cells !== view.text.cells;
    if (hasChanged) undo.keep(view.text, isTyped);
    else undo.stop();
    show({ text, menu: undefined });
    if (hasChanged) void suggest();
  }

  async function suggest(): Promise<void> {
    completions += 1;
    const mine = completions;
    const { cells, cursor } = view.text;
    const before = cells.slice(0, cursor).map((cell) => (typeof cell === 'string' ? cell : ' '));
    // What cannot be listed is not suggested.
    const found = await complete(before.join('')).catch(() => undefined);
    if (mine !== completions || !found || (found.items.length === 0 && found.note === undefined)) return;
    show({ ...view, menu: { ...found, chosen: 0 } });
  }

  /** Puts a suggestion in the place of what it was suggested for. */
  function take({ typed }: OpenMenu, { text, follows }: Suggestion): void {
    const { cells, cursor } = view.text;
    const from = cursor - cellsOf(typed).length;
    const isBlankThere = cells[cursor] === ' ';
    edit(replaceCells(cells, { from, to: cursor }, cellsOf(follows === 'word' && !isBlankThere ? `${text} ` : text)));
    if (follows === undefined) closeMenu();
  }

  function closeMenu(): void {
    completions += 1;
    if (view.menu) show({ ...view, menu: undefined });
  }

  function send(): PromptAct | undefined {
    const text = textOf(view.text.cells);
    if (text.trim() === '') return undefined;
    history.add(text);
    clear();
    return { kind: 'send', text };
  }

  function clear(): void {
    edit(EMPTY_TEXT);
    closeMenu();
    history.leave();
  }

  function pressInMenu(menu: OpenMenu, { name, hasCtrl, hasAlt, hasShift }: PressedKey): PromptAct | boolean {
    const move = name === 'up' || (hasCtrl && name === 'p') ? -1 : name === 'down' || (hasCtrl && name === 'n') ? 1 : 0;
    const count = menu.items.length;
    if (move !== 0 && count > 0) {
      show({ ...view, menu: { ...menu, chosen: (menu.chosen + move + count) % count } });
      return true;
    }
    const chosen = menu.items[menu.chosen];
    if (name === 'escape') closeMenu();
    else if (!chosen || hasAlt || hasShift || hasCtrl || (name !== 'tab' && name !== 'enter')) return false;
    else if (name === 'enter' && chosen.text === menu.typed) return false;
    else {
      take(menu, chosen);
      if (name === 'enter' && menu.isCommand && !chosen.follows) return send() ?? true;
    }
    return true;
  }

  function enter({ hasAlt, hasShift }: PressedKey): PromptAct | undefined {
    const { text } = view;
    const isContinued = text.cells[text.cursor - 1] === '\\' && text.cursor === lineEnd(text);
    if (isContinued) edit(replaceCells(text.cells, { from: text.cursor - 1, to: text.cursor }, [LINE_BREAK]));
    else if (hasAlt || hasShift) edit(insert(text, LINE_BREAK));
    else return send();
    return undefined;
  }

  function goUpOrDown(by: -1 | 1): void {
    const place = placeInRow(view.text, columns, by);
    const found = place !== undefined ? undefined : by === -1 ? history.older(view.text.cells) : history.newer();
    if (place !== undefined) edit({ cells: view.text.cells, cursor: place });
    if (!found) return;
    edit({ cells: found, cursor: found.length });
    closeMenu();
  }

  function press(key: PressedKey): PromptAct | undefined {
    const { name, text, hasCtrl } = key;
    if (view.menu) {
      const done = pressInMenu(view.menu, key);
      if (done !== false) return done === true ? undefined : done;
    }
    if (name === 'text') insertText(text);
    else if (name === 'enter') return enter(key);
    else if (name === 'escape') return { kind: 'escape' };
    else if (name === 'up' || name === 'down') goUpOrDown(name === 'up' ? -1 : 1);
    else if (hasCtrl && name === 'c' && view.text.cells.length > 0) clear();
    else if (hasCtrl && name === 'c') return { kind: 'interrupt' };
    else if (hasCtrl && name === 'd' && view.text.cells.length === 0) return { kind: 'end' };
    else if (hasCtrl && name === '_') restore();
    else {
      const edited = editingKey(view.text, key, killed);
      if (edited?.killed) killed = edited.killed;
      if (edited) edit(edited.text);
    }
    return undefined;
  }

  function restore(): void {
    const before = undo.take();
    if (before) show({ text: before, menu: undefined });
  }

  function insertText(given: string): void {
    const text = cleanInput(given);
    if (text === '') return;
    const paste = foldedPaste(text);
    edit(insert(view.text, paste ?? text), { isTyped: paste === undefined });
  }

  return {
    get view() {
      return view;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    press,
    paste(text) {
      undo.stop();
      insertText(text);
      undo.stop();
    },
    setColumns(given) {
      columns = given;
    },
  };
}

function foldedPaste(text: string): Paste | undefined {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return text.length > MAX_OPEN_CHARS || lines > MAX_OPEN_LINES ? { text, lines } : undefined;
}
