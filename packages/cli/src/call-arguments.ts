import { text as readAll } from 'node:stream/consumers';
import { UsageError } from './usage-error.ts';

/**
 * The JSON text of a call's arguments: what `--input` says, taken as it is, or an object of the `key=value` words, whose
 * values are texts that the tool's schema converts. A key that comes again makes a list.
 */
export async function readCallArguments(pairs: readonly string[], input: string | undefined): Promise<string> {
  if (input !== undefined && pairs.length > 0) {
    throw new UsageError(`give the arguments either with --input or as key=value, not both (${pairs[0]})`);
  }
  if (input === '-') return readAll(process.stdin);
  return input ?? JSON.stringify(Object.fromEntries(readPairs(pairs)));
}

function readPairs(pairs: readonly string[]): Map<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw new UsageError(`"${pair}" is not key=value: write an argument like name=Bob, or give --input JSON`);
    const key = pair.slice(0, at);
    const value = pair.slice(at + 1);
    const earlier = values.get(key);
    values.set(key, earlier === undefined ? value : [earlier, value].flat());
  }
  return values;
}
