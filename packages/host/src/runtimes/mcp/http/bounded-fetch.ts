/** Stands between messages of a stream of events. */
const LF = 0x0a;

/**
 * A `fetch` whose bodies hold no message above `maxBytes`: a JSON body counts as a whole, a stream of events from one
 * empty line to the next. What is longer ends the body with an error instead of the host's memory.
 */
export function boundedFetch(maxBytes: number, fetchFn: typeof fetch = fetch): typeof fetch {
  return async (...request) => {
    const response = await fetchFn(...request);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const body = response.body.pipeThrough(createByteLimit(maxBytes, isStream));
    const { status, statusText, headers } = response;
    return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: response.url });
  };
}

function createByteLimit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let endedWithLf = false;
  return new TransformStream({
    transform(chunk, controller) {
      const rest = isStream ? chunk.length - lastEmptyLine(chunk, endedWithLf) : chunk.length;
      length = rest < chunk.length ? rest : length + rest;
      endedWithLf = chunk.at(-1) === LF;
      if (length > maxBytes) controller.error(new Error(`the server sent a message of more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

/** Where the last message of a chunk begins; 0 when the chunk ends none. */
function lastEmptyLine(chunk: Uint8Array, followsLf: boolean): number {
  for (let end = chunk.lastIndexOf(LF); end >= 0; end = end === 0 ? -1 : chunk.lastIndexOf(LF, end - 1)) {
    const before = chunk[end - 1] === 0x0d ? end - 2 : end - 1;
    if (before < 0 ? followsLf : chunk[before] === LF) return end + 1;
  }
  return 0;
}
