import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../server/principal.ts';
import type { HttpReply, HttpRequest, HttpStream } from './http-exchange.ts';

/** As on stdio, where one message is a line. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
const BEHIND_BYTES = 256 * 1024;

/** The body of a request; undefined when it is longer than it may be. */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) resolve(undefined);
    else chunks.push(chunk);
  });
  request.on('end', () => {
    const [only] = chunks;
    resolve(only && chunks.length === 1 ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8'));
  });
  request.on('error', reject);
  request.on('close', () => reject(new Error('the client went away')));
  return promise;
}

export function nodeRequest(request: IncomingMessage, principal: Principal, body: string): HttpRequest {
  const { method = 'GET', headers } = request;
  return {
    method,
    ...{ body, principal },
    header(name) {
      const value = headers[name];
      return typeof value === 'string' ? value : value?.join(', ');
    },
  };
}

export function nodeReply(response: ServerResponse, common: Readonly<Record<string, string>>): HttpReply {
  return {
    send(status, headers, parts) {
      const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      response.writeHead(status, { ...common, ...headers, 'content-length': length });
      const [first = '', ...rest] = parts;
      if (parts.every((part) => typeof part === 'string')) {
        response.end(parts.join(''));
        return;
      }
      response.cork();
      response.write(first);
      for (const part of rest) response.write(part);
      response.end();
      response.uncork();
    },
    openStream(status, headers) {
      response.writeHead(status, { ...common, ...headers });
      response.flushHeaders();
      response.socket?.setNoDelay(true);
      return nodeStream(response);
    },
    onGone(listener) {
      response.on('close', () => {
        if (!response.writableFinished) listener();
      });
    },
  };
}

function nodeStream(response: ServerResponse): HttpStream {
  return {
    write: (part) => void response.write(part),
    end: () => void response.end(),
    get isBehind() {
      return response.writableLength > BEHIND_BYTES;
    },
    onCaughtUp: (listener) => void response.once('drain', listener),
  };
}
