import type { LookUp } from './look-up-name.ts';

/**
 * One lookup after the other, and none beside `max` that wait: nothing can stop one that a guest gave up, and while it
 * runs it keeps a thread from everybody else.
 */
export function limitLookUps(lookUp: LookUp, max: number): LookUp {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (name) => {
    if (waiting >= max) throw Object.assign(new Error('too many lookups at once'), { code: 'EAI_AGAIN' });
    waiting += 1;
    const own = last.then(() => lookUp(name));
    last = own.catch(() => undefined);
    return own.finally(() => {
      waiting -= 1;
    });
  };
}
