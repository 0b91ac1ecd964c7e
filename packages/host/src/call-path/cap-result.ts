import { type ContentBlock, type ToolResult, textOf } from '@toolpost/protocol';

/** Text that a model gets from one call, in UTF-8 bytes; a 60 KB source file fits. */
export const DEFAULT_OUTPUT_BYTES = 100_000;
/** Images, audio and binary resources together, in base64 characters. */
const MAX_BINARY_CHARS = 20_000_000;
const MAX_METADATA_CHARS = 1_000_000;
const MAX_KEPT_ENTRY_CHARS = 1000;
/** The head shows what it is, the tail how it ended. */
const HEAD_SHARE = 0.7;

/** Writes the whole of a result that was capped and returns the file's absolute path. */
export type KeepFullOutput = (extension: 'txt' | 'json', content: string) => string | undefined;

/**
 * One cap for every runtime: a result that is too large keeps head and tail of its text, and the whole is kept in
 * a file that its text and `metadata.fullOutput` name. A tool whose text is an excerpt already, as that of `bash` may
 * be, names its file and the bytes of the whole there by itself.
 */
export function capResult(result: ToolResult, maxBytes: number, keep: KeepFullOutput): ToolResult {
  const single = result.content.length === 1 ? result.content[0] : undefined;
  // The usual case, decided without work: three bytes are the most that a UTF-16 unit takes.
  const isSmallText = single?.type === 'text' && single.text.length * 3 <= maxBytes;
  if (isSmallText && result.structuredContent === undefined && result.metadata === undefined) return result;
  let capped = capText(result, maxBytes, keep);
  capped = capBinary(capResources(capped, maxBytes, keep));
  capped = capStructured(capped, maxBytes, keep);
  return capMetadata(capped);
}

function capText(result: ToolResult, maxBytes: number, keep: KeepFullOutput): ToolResult {
  const text = textOf(result.content);
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return result;
  const whole = wholeOf(result) ?? { file: keep('txt', text), byteLength: Buffer.byteLength(text) };
  const { file, byteLength } = whole;
  const shown = headAndTail(text, maxBytes, whole);
  const others = result.content.filter(({ type }) => type !== 'text');
  return {
    ...result,
    content: [{ type: 'text', text: shown }, ...others],
    metadata: { ...result.metadata, ...(file && { fullOutput: file }), fullOutputBytes: byteLength },
  };
}

/** Where the whole text is, and how long it is. */
interface WholeText {
  readonly file: string | undefined;
  readonly byteLength: number;
  /** The file has only the start of it. */
  readonly isCut?: boolean;
}

function wholeOf({ metadata }: ToolResult): WholeText | undefined {
  const { fullOutput: file, fullOutputBytes: byteLength } = metadata ?? {};
  if (typeof file !== 'string' || typeof byteLength !== 'number') return undefined;
  return { file, byteLength, isCut: metadata?.fullOutputCutAt !== undefined };
}

function headAndTail(text: string, maxBytes: number, { file, byteLength, isCut }: WholeText): string {
  const bytes = Buffer.from(text);
  const headEnd = backToCodePoint(bytes, Math.floor(maxBytes * HEAD_SHARE));
  const tailStart = forwardToCodePoint(bytes, bytes.length - (maxBytes - headEnd));
  const leftOut = byteLength - headEnd - (bytes.length - tailStart);
  const note = `\n[... ${leftOut} of ${byteLength} bytes left out${file ? `; ${isCut ? 'the start of the' : 'the whole'} text is in ${file}` : ''} ...]\n`;
  return bytes.toString('utf8', 0, headEnd) + note + bytes.toString('utf8', tailStart);
}

/** The texts of embedded resources reach the model too; together they have a share as large as the text's. */
function capResources(result: ToolResult, maxBytes: number, keep: KeepFullOutput): ToolResult {
  let left = maxBytes;
  let isCut = false;
  const content = result.content.map((block): ContentBlock => {
    if (block.type !== 'resource' || block.resource.text === undefined) return block;
    const { text } = block.resource;
    const allowed = left;
    left = Math.max(0, left - Buffer.byteLength(text));
    if (Buffer.byteLength(text) <= allowed) return block;
    isCut = true;
    const whole = { file: keep('txt', text), byteLength: Buffer.byteLength(text) };
    return { ...block, resource: { ...block.resource, text: headAndTail(text, allowed, whole) } };
  });
  return isCut ? { ...result, content } : result;
}

function backToCodePoint(bytes: Buffer, index: number): number {
  let at = index;
  while (at > 0 && isContinuation(bytes[at])) at--;
  return at;
}

function forwardToCodePoint(bytes: Buffer, index: number): number {
  let at = index;
  while (at < bytes.length && isContinuation(bytes[at])) at++;
  return at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function binaryChars(block: ContentBlock): number {
  if (block.type === 'image' || block.type === 'audio') return block.data.length;
  if (block.type === 'resource') return (block.resource.blob ?? '').length;
  return 0;
}

function capBinary(result: ToolResult): ToolResult {
  let total = 0;
  for (const block of result.content) total += binaryChars(block);
  if (total <= MAX_BINARY_CHARS) return result;
  let left = MAX_BINARY_CHARS;
  const content = result.content.map((block): ContentBlock => {
    left -= binaryChars(block);
    if (left >= 0 || binaryChars(block) === 0) return block;
    return {
      type: 'text',
      text: `[a block of kind ${block.type} was left out: the result is larger than ${MAX_BINARY_CHARS} characters]`,
    };
  });
  return { ...result, content };
}

function capStructured(result: ToolResult, maxBytes: number, keep: KeepFullOutput): ToolResult {
  if (result.structuredContent === undefined) return result;
  const json = JSON.stringify(result.structuredContent);
  if (json.length <= Math.max(maxBytes, MAX_METADATA_CHARS)) return result;
  const file = keep('json', json);
  const { structuredContent: _, ...rest } = result;
  return {
    ...rest,
    metadata: { ...result.metadata, structuredContentBytes: json.length, ...(file && { fullStructuredContent: file }) },
  };
}

function capMetadata(result: ToolResult): ToolResult {
  if (result.metadata === undefined) return result;
  // What a call draws has a limit of its own, and was held to it.
  const { ui_code: uiCode, ...others } = result.metadata;
  if (JSON.stringify(others).length <= MAX_METADATA_CHARS) return result;
  let left = MAX_METADATA_CHARS;
  const kept = Object.entries(others).filter(([key, value]) => {
    const length = key.length + (JSON.stringify(value) ?? '').length;
    if (length >= MAX_KEPT_ENTRY_CHARS || length > left) return false;
    left -= length;
    return true;
  });
  const drawn = uiCode === undefined ? {} : { ui_code: uiCode };
  return { ...result, metadata: { ...Object.fromEntries(kept), ...drawn, metadataCapped: true } };
}
