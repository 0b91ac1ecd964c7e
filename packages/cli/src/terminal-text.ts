/** Colours and weights are the one kind of escape sequence that cannot move the cursor or change the terminal. */
const SGR = /\u001b\[[0-9;:]*m/g;
/** Every other sequence: CSI, OSC, DCS, PM, APC, SOS, and single escapes. */
const SEQUENCES = /\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g;
// Controls but TAB and LF, and every character that reorders or hides text: bidi, zero width, tags.
const CONTROLS = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Joins emoji to one, as a family; anywhere else it is a character that is not seen. */
const JOINER = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;
const RESET = '\u001b[0m';
const SGR_PLACE = /\ue000(\d+)\ue001/g;
const JOINER_PLACE = /\ue002/g;

let joinsEmoji = false;

/**
 * Whether the terminal of this process draws joined emoji as one of two columns. Where it does not, each is drawn by itself
 * and takes its own columns, so the joiner is dropped with all else that is not seen.
 */
export function setJoinsEmoji(isJoining: boolean): void {
  joinsEmoji = isJoining;
}

/**
 * The one sanitiser before each terminal write: whatever a plugin, a model, a file or a manifest says cannot drive the
 * terminal. SGR stays and ends with the text, so that nothing of ours is coloured or concealed by it; CRLF becomes LF, a
 * lone CR starts a new line, everything else that is not text is dropped.
 */
export function terminalText(text: string): string {
  if (!needsCare(text)) return text;
  const styles: string[] = [];
  const clean = text
    .replaceAll(/[\ue000-\ue002]/g, '')
    .replaceAll(JOINER, joinsEmoji ? '\ue002' : '')
    .replaceAll(SGR, (style) => `\ue000${styles.push(style) - 1}\ue001`)
    .replaceAll(SEQUENCES, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(JOINER_PLACE, '\u200d')
    .replaceAll(SGR_PLACE, (_, index: string) => styles[Number(index)] ?? '');
  return styles.length === 0 || clean.endsWith(RESET) ? clean : clean + RESET;
}

/** The same without any style, for what is cut and aligned by its length. */
export function plainText(text: string): string {
  return terminalText(text).replaceAll(SGR, '');
}

/** Emoji as the terminal draws them: joined, or each by itself. */
export function drawnEmoji(text: string): string {
  return joinsEmoji ? text : text.replaceAll(JOINER, '');
}

/** What a person typed or pasted, as a model gets it: characters that only join or part others are part of the words. */
export function textOnly(text: string): string {
  return /(?![\t\n])\p{Cc}/u.test(text) ? text.replaceAll(SEQUENCES, '').replaceAll(/(?![\t\n])\p{Cc}/gu, '') : text;
}

/** For one line that a person decides on: nothing is hidden, so what is not text is shown as its code. */
export function visibleText(text: string): string {
  return text
    .replaceAll(/[\n\t]|[\u001b\ue000-\ue002]/g, (char) => code(char))
    .replaceAll(CONTROLS, (char) => code(char));
}

function code(char: string): string {
  if (char === '\n') return '\\n';
  if (char === '\t') return '\\t';
  const point = (char.codePointAt(0) ?? 0).toString(16);
  return point.length > 4 ? `\\u{${point}}` : `\\u${point.padStart(4, '0')}`;
}

function needsCare(text: string): boolean {
  CONTROLS.lastIndex = 0;
  return CONTROLS.test(text) || /[\ue000-\ue002]/.test(text);
}
