import { lookup } from 'node:dns/promises';

/** The addresses of a name, as texts, in the order to try them. @throws with a `code` as dns.lookup has. */
export type LookUp = (name: string) => Promise<readonly string[]>;

/** The system's lookup holds one of the threads that the whole host's files share, as long as a name server likes. */
const MAX_RUNNING = 3;
const MAX_ADDRESSES = 16;

let running = 0;
const waiting: (() => void)[] = [];

/** The system's own resolver, so that names mean what they mean to every other program. */
export const lookUpName: LookUp = async (name) => {
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    const found = await lookup(name, { all: true });
    return found.slice(0, MAX_ADDRESSES).map(({ address }) => address);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
};
