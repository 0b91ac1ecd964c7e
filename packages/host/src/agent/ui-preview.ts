import { type EventBody, MAX_UI_CODE_CHARS, type ShownUi, type ToolDefinition, toShownUi } from '@toolpost/protocol';
import { StreamedText } from './streamed-text.ts';

/** Clients compile and draw each one, so that a long one comes less often: the events grow with the code. */
const INTERVAL_MS = 100;
const MAX_CHARS_A_MS = 500;

/** What a call draws, told while the model writes its arguments. */
export interface UiPreview {
  push(piece: string): void;
  /** The arguments are whole, or nothing more comes of them: what was not told yet is told now. */
  end(): void;
}

/** A call whose arguments begin to come. */
export interface StartedInput {
  readonly toolCallId: string;
  /** The tool's own name. */
  readonly name: string;
}

/** Begins the preview of a call; undefined for a call that draws nothing while it is written. */
export type StartPreview = (call: StartedInput, onEvent: (event: EventBody) => void) => UiPreview | undefined;

/**
 * Previews for the tools that were offered. `wrapperOf` gives the key that a tool's arguments are wrapped in for the
 * provider, if they are.
 */
export function createPreviews(
  tools: readonly ToolDefinition[],
  wrapperOf: (toolName: string) => string | undefined,
): StartPreview {
  // Names are looked up with folded case, here as in the registry.
  const drawing = new Map(tools.flatMap((tool) => (tool.ui ? [[tool.name.toLowerCase(), toShownUi(tool.ui)]] : [])));
  return ({ toolCallId, name }, onEvent) => {
    const ui = drawing.get(name.toLowerCase());
    if (ui?.param === undefined) return undefined;
    const wrapper = wrapperOf(name);
    const path = wrapper === undefined ? [ui.param] : [wrapper, ui.param];
    return new CallPreview({ toolCallId, name, ui, path, onEvent });
  };
}

interface PreviewParts extends StartedInput {
  readonly ui: ShownUi;
  readonly path: readonly string[];
  readonly onEvent: (event: EventBody) => void;
}

/** Tells of the code at most each 100 ms, and always of the last one. */
class CallPreview implements UiPreview {
  readonly #parts: PreviewParts;
  readonly #reader: StreamedText;
  #told = '';
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(parts: PreviewParts) {
    this.#parts = parts;
    this.#reader = new StreamedText(parts.path);
  }

  push(piece: string): void {
    if (this.#isOver) return;
    this.#reader.push(piece);
    const { length } = this.#reader.text;
    if (length > MAX_UI_CODE_CHARS) this.#giveUp();
    else if (length !== this.#told.length) this.#tellSoon();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#tell();
  }

  #tellSoon(): void {
    if (this.#timer) return;
    const intervalMs = Math.max(INTERVAL_MS, this.#told.length / MAX_CHARS_A_MS);
    const waitMs = this.#toldAtMs + intervalMs - performance.now();
    if (waitMs <= 0) this.#tell();
    else this.#timer = setTimeout(() => this.#tell(), waitMs).unref();
  }

  #tell(): void {
    this.#timer = undefined;
    const code = whole(this.#reader.text);
    if (code === this.#told) return;
    this.#told = code;
    this.#toldAtMs = performance.now();
    const { toolCallId, ui, onEvent } = this.#parts;
    const { mode, libs, surface } = ui;
    onEvent({ type: 'ui-delta', toolCallId, mode, libs, surface, code });
  }

  #giveUp(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    const { name, ui, onEvent } = this.#parts;
    const message = `The preview of ${name} stops: its argument ${ui.param} is longer than ${MAX_UI_CODE_CHARS} characters.`;
    onEvent({ type: 'warning', message });
  }
}

/** Without the first half of a surrogate pair at its end. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return (last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text).toWellFormed();
}
