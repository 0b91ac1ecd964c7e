import type { Variant } from './interleave.ts';

/** Does one thing after the other. */
export function repeat(work: () => Promise<unknown>): Variant['run'] {
  return async (count) => {
    for (let index = 0; index < count; index += 1) await work();
    return undefined;
  };
}

/** Does `count` things with `atOnce` of them under way at any time. */
export async function repeatAtOnce(
  work: () => Promise<unknown>,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<undefined> {
  let started = 0;
  const next = async (): Promise<void> => {
    while (started++ < count) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
