import { messageOf } from '@toolpost/protocol';
import type { z } from 'zod';
import { isNestedDeeper, MAX_ARGUMENTS_DEPTH } from '../call-path/nesting.ts';
import { toWellFormedDeep } from '../call-path/well-formed.ts';
import { Problem } from './problem.ts';

/** Nothing that a client may send is longer: a message has at most a million characters. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A client reads the answer when it has sent its body: so much of one that is too long is taken, and so long. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
const MAX_DROPPING_MS = 2000;

/**
 * The JSON body of a request, read as far as it may be long and checked. Halves of characters in it are replaced: they
 * have no place in UTF-8, and no provider, database or reader of events takes them.
 * @throws Problem REQUEST_INVALID that names the field.
 */
export async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw new Problem(415, 'REQUEST_INVALID', 'the body has to be JSON, with "content-type: application/json"');
  return checkedBy(schema, parse(await readText(request)), 'the body');
}

/** @throws Problem REQUEST_INVALID that names the field. */
export function checkedBy<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problems = read.error.issues.slice(0, 10).map(({ path, message }) => {
    const place = path.length === 0 ? what : path.map(String).join('.');
    return `${place}: ${message}`;
  });
  throw new Problem(400, 'REQUEST_INVALID', problems.join('; '));
}

async function readText({ body }: Request): Promise<string> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let patience: NodeJS.Timeout | undefined;
  while (reader && bytes <= MAX_DROPPED_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes <= MAX_BODY_BYTES) chunks.push(value);
    else patience ??= setTimeout(() => void reader.cancel().catch(() => undefined), MAX_DROPPING_MS);
  }
  clearTimeout(patience);
  if (bytes > MAX_BODY_BYTES)
    throw new Problem(413, 'REQUEST_INVALID', `the body is longer than ${MAX_BODY_BYTES} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  const value = parseJson(text);
  if (text.length > MAX_ARGUMENTS_DEPTH && isNestedDeeper(value, MAX_ARGUMENTS_DEPTH))
    throw new Problem(400, 'REQUEST_INVALID', `the body is nested in more than ${MAX_ARGUMENTS_DEPTH} levels`);
  return toWellFormedDeep(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new Problem(400, 'REQUEST_INVALID', `the body is not JSON: ${reason}`);
  }
}
