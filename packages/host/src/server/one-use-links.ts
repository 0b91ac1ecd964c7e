import { createHash, randomBytes } from 'node:crypto';

const VALID_MS = 15 * 60_000;
const MAX_OPEN = 100;

/** Codes that stand for a token once, so that a link can open the page without showing the token itself. */
export interface OneUseLinks {
  /** A code for this token; it goes into the fragment of an address, which browsers send to nobody. */
  create(token: string): string;
  /** The token of a code that is used for the first time and in time. */
  redeem(code: string): string | undefined;
}

export function createOneUseLinks(now: () => number = Date.now): OneUseLinks {
  const open = new Map<string, { readonly token: string; readonly until: number }>();
  return {
    create(token) {
      const code = randomBytes(32).toString('base64url');
      open.set(digestOf(code), { token, until: now() + VALID_MS });
      for (const oldest of open.keys()) if (open.size > MAX_OPEN) open.delete(oldest);
      return code;
    },
    redeem(code) {
      const key = digestOf(code);
      const found = open.get(key);
      open.delete(key);
      return found && found.until > now() ? found.token : undefined;
    },
  };
}

/** Looked up by its hash, so that how long it takes tells nothing of the codes there are. */
function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
