/** Colours and weights are the one kind of escape sequence that cannot move the cursor or change the terminal. */
const SGR = /\u001b\[[0-9;:]*m/g;
/** Every other sequence: CSI, OSC, DCS, PM, APC, SOS, and single escapes. */
const SEQUENCES = /\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g;
// C0 but TAB and LF, DEL, C1, and the characters that reorder or hide text.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const SGR_PLACE = /\ue000(\d+)\ue001/g;

/**
 * The one sanitiser before each terminal write: whatever a plugin, a model, a file or a manifest says cannot drive the
 * terminal. SGR stays, CRLF becomes LF, a lone CR starts a new line, everything else that is not text is dropped.
 */
export function terminalText(text: string): string {
  if (!needsCare(text)) return text;
  const styles: string[] = [];
  return text
    .replaceAll(/[\ue000\ue001]/g, '')
    .replaceAll(SGR, (style) => `\ue000${styles.push(style) - 1}\ue001`)
    .replaceAll(SEQUENCES, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(SGR_PLACE, (_, index: string) => styles[Number(index)] ?? '');
}

/** For one line that a person decides on: nothing is hidden, so what is not text is shown as its code. */
export function visibleText(text: string): string {
  return text
    .replaceAll(/[\n\t]|[\u001b\ue000\ue001]/g, (char) => code(char))
    .replaceAll(CONTROLS, (char) => code(char));
}

function code(char: string): string {
  if (char === '\n') return '\\n';
  if (char === '\t') return '\\t';
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function needsCare(text: string): boolean {
  CONTROLS.lastIndex = 0;
  return CONTROLS.test(text) || /[\ue000\ue001]/.test(text);
}
