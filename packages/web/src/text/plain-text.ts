// CSI, OSC and the other string sequences of ECMA-48, then what is left of two characters.
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]?|\u009b[0-?]*[ -/]*[@-~]/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text of a tool or a model as a page shows it: without what would drive a terminal, and with each line as it ended. */
export function plainText(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/\r\n/g, '\n')
    .replace(/^.*\r(?!$)/gm, '')
    .replace(CONTROLS, '');
}

/** One line of it, for names and titles. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** With everything that cannot be seen, or turns the order of letters around, spelled out: what a person says yes to. */
export function spelledOut(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

export function lastLines(text: string, count: number): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  return lines.slice(-count).join('\n');
}

/** A model without the address that it is at. */
export function modelName(specification: string): string {
  return plainLine(specification.replace(/@https?:.*$/, ''));
}
