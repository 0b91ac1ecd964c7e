import type { HttpBody, HttpStream } from './http-exchange.ts';

/** A stream of server-sent events, one message of the protocol each. */
export interface EventStream {
  /** It goes on when its client is gone, which may come back for the rest. */
  readonly isKept: boolean;
  /** The client has much to read still. */
  readonly isBehind: boolean;
  /** Calls `listener` once when it has taken what there is. */
  onCaughtUp(listener: () => void): void;
  send(message: HttpBody): void;
  /** A comment, which keeps the connection. */
  beat(): void;
  end(): void;
}

export function createEventStream(stream: HttpStream): EventStream {
  return {
    isKept: false,
    get isBehind() {
      return stream.isBehind;
    },
    onCaughtUp: (listener) => stream.onCaughtUp(listener),
    send: (message) => writeEvent(stream, '', message),
    beat: () => stream.write(':\n\n'),
    end: () => stream.end(),
  };
}

/** `fields`: lines that stand before its data. */
export function writeEvent(stream: HttpStream, fields: string, [first = '', ...rest]: HttpBody): void {
  const head = `event: message\n${fields}data: `;
  if (rest.length === 0 && typeof first === 'string') stream.write(`${head}${first}\n\n`);
  else for (const part of [head, first, ...rest, '\n\n']) stream.write(part);
}
