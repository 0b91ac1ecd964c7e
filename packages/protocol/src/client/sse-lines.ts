declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array | undefined, options: { stream: boolean }): string };

/** An event is at most a capped result and its frame; a longer line is no event of ours. */
const MAX_LINE_CHARS = 64 * 1024 * 1024;

/**
 * Decodes a stream and gives its lines, also the empty ones, which end events; a line ends at LF, CRLF or CR. What has no
 * end yet stays here.
 */
export function createSseLines(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  /** Pieces of the line that has no end yet: joined once, when it has. */
  let pieces: string[] = [];
  let chars = 0;
  let endedByCr = false;

  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true });
    if (endedByCr && text.startsWith('\n')) text = text.slice(1);
    if (text !== '') endedByCr = text.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      pieces.push(line);
      const whole = pieces.join('');
      pieces = [];
      chars = 0;
      onLine(whole);
    }
    pieces.push(rest);
    chars += rest.length;
    if (chars > MAX_LINE_CHARS)
      throw new RangeError(`a line of the event stream is longer than ${MAX_LINE_CHARS} characters`);
  };
}
