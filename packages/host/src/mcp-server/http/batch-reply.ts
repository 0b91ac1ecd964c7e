import { type HttpBody, type HttpReply, type HttpStream, JSON_HEADERS } from './http-exchange.ts';

/**
 * One HTTP answer for the `count` requests of a batch, each of which uses it as if it were its own: a stream with all of
 * their events, or the list of their answers where none of them opens a stream.
 */
export function createBatchReply(reply: HttpReply, count: number): HttpReply {
  const bodies: HttpBody[] = [];
  let left = count;
  let stream: HttpStream | undefined;

  const endOne = (): void => {
    left -= 1;
    if (left > 0) return;
    if (stream) stream.end();
    else reply.send(200, JSON_HEADERS, ['[', ...bodies.flatMap((body, at) => (at === 0 ? body : [',', ...body])), ']']);
  };

  return {
    send(_status, _headers, body) {
      bodies.push(body);
      endOne();
    },
    openStream(status, headers) {
      stream ??= reply.openStream(status, headers);
      const shared = stream;
      return {
        write: (part) => shared.write(part),
        end: endOne,
        get isBehind() {
          return shared.isBehind;
        },
        onCaughtUp: (listener) => shared.onCaughtUp(listener),
      };
    },
    onGone: (listener) => reply.onGone(listener),
  };
}
