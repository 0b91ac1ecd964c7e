import type { z } from 'zod';
import { Problem } from './problem.ts';

/** Nothing that a client may send is longer: a message has at most a million characters. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * The JSON body of a request, read as far as it may be long and checked.
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

async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem(400, 'REQUEST_INVALID', `the body is not JSON: ${reason}`);
  }
}

function tooLarge(): Problem {
  return new Problem(413, 'REQUEST_INVALID', `the body is longer than ${MAX_BODY_BYTES} bytes`);
}
