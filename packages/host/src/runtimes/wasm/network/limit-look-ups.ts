import type { LookUp } from './look-up-name.ts';

/** Refuses lookups while `max` run: one goes on after the guest gave it up, as nothing can stop it. */
export function limitLookUps(lookUp: LookUp, max: number): LookUp {
  let running = 0;
  return async (name) => {
    if (running >= max) throw Object.assign(new Error('too many lookups at once'), { code: 'EAI_AGAIN' });
    running += 1;
    try {
      return await lookUp(name);
    } finally {
      running -= 1;
    }
  };
}
