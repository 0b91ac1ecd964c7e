/** One server-sent event: comments and `retry` say nothing to our client. */
export interface SentEvent {
  /** `message` when the server names none. */
  readonly name: string;
  readonly data: string;
  /** Of this event alone; undefined when it has none. */
  readonly id: string | undefined;
}

/**
 * Turns the lines of a stream of server-sent events (WHATWG HTML, section 9.2.6) into events, each when its empty line
 * has come: what was cut before that is dropped.
 */
export function createSseParser(onEvent: (event: SentEvent) => void): (line: string) => void {
  let name = '';
  let id: string | undefined;
  let data: string[] = [];

  function dispatch(): void {
    if (data.length > 0) onEvent({ name: name || 'message', data: data.join('\n'), id });
    name = '';
    id = undefined;
    data = [];
  }

  return (line) => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
  };
}
