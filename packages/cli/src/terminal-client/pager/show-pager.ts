import type { ChatClient } from '../chat-client.ts';
import type { CallPage } from '../draw/call.ts';
import { entryLines } from '../draw/entry.ts';
import { cutLine, type Line, renderLine, span } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import type { Keyboard } from '../terminal/keyboard.ts';
import { type Entry, isEnded } from '../transcript/entries.ts';
import { isAtEnd, keysIn, type PagerView, scrolledTo, viewAfterKey } from './pager.ts';

export interface PagerScene {
  readonly client: ChatClient;
  readonly theme: Theme;
  readonly keyboard: Keyboard;
  readonly screen: NodeJS.WriteStream;
}

/** The screen beside the one with the scrollback; lines that are too long are cut by the terminal, never wrapped. */
const ENTER = '\u001b[?1049h\u001b[?7l\u001b[?25l';
const LEAVE = '\u001b[?7h\u001b[?1049l';
const SHOW_CURSOR = '\u001b[?25h';
const FOOT_ROWS = 1;

/**
 * Shows everything that was said and done, whole, on a screen of its own, until it is closed. What happens meanwhile is
 * shown at its end. The scrollback stays as it is.
 */
export function showPager(scene: PagerScene): Promise<void> {
  return new Promise((resolve) => {
    new Pager(scene, resolve).open();
  });
}

class Pager {
  readonly #scene: PagerScene;
  readonly #onClose: () => void;
  #lines: readonly Line[] = [];
  #view: PagerView = { top: 0, count: 0, height: 1 };
  #unsubscribe: (() => void) | undefined;
  #laidOut = new WeakMap<Entry, readonly Line[]>();
  #laidOutWidth = 0;

  constructor(scene: PagerScene, onClose: () => void) {
    this.#scene = scene;
    this.#onClose = onClose;
  }

  open(): void {
    const { client, keyboard, screen } = this.#scene;
    screen.write(ENTER);
    keyboard.setEncoding('utf8');
    keyboard.setRawMode(true);
    keyboard.on('data', this.#onData);
    keyboard.ref();
    keyboard.resume();
    screen.on('resize', this.#onChange);
    client.ending.addEventListener('abort', this.#close);
    process.on('exit', this.#onExit);
    this.#unsubscribe = client.subscribe(this.#onChange);
    this.#layOut();
    this.#view = scrolledTo(this.#view, this.#view.count);
    this.#draw();
  }

  readonly #close = (): void => {
    const { client, keyboard, screen } = this.#scene;
    this.#unsubscribe?.();
    client.ending.removeEventListener('abort', this.#close);
    process.off('exit', this.#onExit);
    screen.off('resize', this.#onChange);
    keyboard.off('data', this.#onData);
    keyboard.pause();
    screen.write(LEAVE);
    this.#onClose();
  };

  /** Whoever ends the process: its terminal is somebody else's again. */
  readonly #onExit = () => void this.#scene.screen.write(LEAVE + SHOW_CURSOR);

  readonly #onData = (typed: string | Buffer) => {
    for (const key of keysIn(typed.toString())) {
      const next = viewAfterKey(this.#view, key);
      if (!next) return this.#close();
      this.#view = next;
    }
    this.#draw();
  };

  readonly #onChange = () => {
    const wasAtEnd = isAtEnd(this.#view);
    this.#layOut();
    this.#view = scrolledTo(this.#view, wasAtEnd ? this.#view.count : this.#view.top);
    this.#draw();
  };

  #layOut(): void {
    const { client, theme, screen } = this.#scene;
    const { pageUrl } = client.conversation;
    const page = { theme, width: screen.columns - 1, now: Date.now(), isExpanded: true, outputRows: Infinity, pageUrl };
    if (page.width !== this.#laidOutWidth) [this.#laidOut, this.#laidOutWidth] = [new WeakMap(), page.width];
    this.#lines = client.transcript.entries
      .map((entry) => this.#linesOf(entry, page))
      .filter((lines) => lines.length > 0)
      .flatMap((lines, index): Line[] => (index === 0 ? [...lines] : [[], ...lines]));
    this.#view = { ...this.#view, count: this.#lines.length, height: Math.max(1, screen.rows - FOOT_ROWS) };
  }

  /** What has ended looks the same in the next frame: of a long session hardly anything is laid out again. */
  #linesOf(entry: Entry, page: CallPage): readonly Line[] {
    const known = this.#laidOut.get(entry);
    if (known) return known;
    const lines = entryLines(entry, page);
    if (isEnded(entry)) this.#laidOut.set(entry, lines);
    return lines;
  }

  #draw(): void {
    const { screen } = this.#scene;
    const { top, height } = this.#view;
    const shown = Array.from({ length: height }, (_, row) => renderLine(this.#lines[top + row] ?? []));
    const rows = [...shown, renderLine(cutLine(this.#foot(), screen.columns - 1))];
    screen.write(`\u001b[?2026h${rows.map((row, at) => `\u001b[${at + 1};1H\u001b[2K${row}`).join('')}\u001b[?2026l`);
  }

  #foot(): Line {
    const { client, theme } = this.#scene;
    const { top, count, height } = this.#view;
    const isAsked = client.questions.view.question !== undefined;
    return [
      span(isAsked ? 'A question waits for you. ' : '', theme.warn),
      span(`${Math.min(count, top + height)} of ${count} rows  ↑↓ page-up page-down g G  q goes back`, theme.faint),
    ];
  }
}
