const REPLACEMENT = '\ufffd';
/** More arguments at once overflow QuickJS's stack. */
const CHUNK = 8192;

/** UTF-8, as TextEncoder writes it: a lone surrogate becomes U+FFFD. */
export class GuestTextEncoder {
  readonly encoding = 'utf-8';

  encode(text = ''): Uint8Array {
    // encodeURIComponent is the engine's own UTF-8 encoder; as binary text it is one character a byte.
    const binary = unescape(encodeURIComponent(text.toWellFormed()));
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes;
  }
}

/** UTF-8, as TextDecoder reads it. Other encodings are refused. */
export class GuestTextDecoder {
  readonly encoding = 'utf-8';
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  private kept: Uint8Array = new Uint8Array(0);
  private isAtStart = true;

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    if (!/^(?:utf-?8|unicode-1-1-utf-8)$/i.test(label)) throw new RangeError(`a component decodes UTF-8, not ${label}`);
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
  }

  decode(input: ArrayBuffer | ArrayBufferView = new Uint8Array(0), { stream = false } = {}): string {
    const given = toBytes(input);
    const bytes = this.kept.length === 0 ? given : concat(this.kept, given);
    const end = stream ? completeLength(bytes) : bytes.length;
    this.kept = bytes.slice(end);
    const text = decodeBytes(bytes.subarray(0, end), this.fatal);
    const hasMark = this.isAtStart && !this.ignoreBOM && text.startsWith('\ufeff');
    if (text !== '') this.isAtStart = false;
    if (!stream) this.isAtStart = true;
    return hasMark ? text.slice(1) : text;
  }
}

function toBytes(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (input instanceof Uint8Array) return input;
  return ArrayBuffer.isView(input)
    ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    : new Uint8Array(input);
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** How many of the bytes do not belong to a character that is still to come. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function decodeBytes(bytes: Uint8Array, fatal: boolean): string {
  try {
    return decodeURIComponent(escape(binaryOf(bytes)));
  } catch {
    if (fatal) throw new TypeError('the bytes are not UTF-8');
    return decodeBroken(bytes);
  }
}

function binaryOf(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  }
  return binary;
}

/** Reads what can be read; each longest part that could begin a character, and does not, becomes one U+FFFD. */
function decodeBroken(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : validLength(bytes, at);
    if (length > 0) pieces.push(decodeURIComponent(escape(binaryOf(bytes.subarray(at, at + length)))));
    else pieces.push(REPLACEMENT);
    at += Math.abs(length) || 1;
  }
  return pieces.join('');
}

/** The length of the character that begins here, or how many bytes of it are there, negative, when it is broken. */
function validLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const length = lengthOf(lead);
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    const [low, high] = index === 1 ? secondByteOf(lead) : [0x80, 0xbf];
    if (byte < low || byte > high) return -index;
  }
  return length;
}

/** No overlong forms, no surrogates, nothing above U+10FFFF. */
function secondByteOf(lead: number): [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  return lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}
