import { isAbsolute } from 'node:path';
import { isInside, realPlace } from '../builtin/confine-path.ts';
import type { Host } from '../host.ts';
import type { Principal } from './principal.ts';
import { Problem } from './problem.ts';

/**
 * What a request may have of the roots that it asks for: directories inside those that its token grants, links resolved.
 * @throws Problem FORBIDDEN that says the same for a directory that is not there as for one of somebody else.
 */
export async function grantedTo(
  host: Host,
  { tenant }: Principal,
  asked: readonly string[],
): Promise<readonly string[]> {
  const granted = host.openSession({ tenant }).roots;
  return Promise.all(
    asked.map(async (path) => {
      const real = isAbsolute(path) && !path.includes('\0') ? await realPlace(path).catch(() => undefined) : undefined;
      if (real !== undefined && granted.some((root) => isInside(root, real))) return real;
      throw new Problem(403, 'FORBIDDEN', `${JSON.stringify(path)} is not inside a directory that is granted to you`);
    }),
  );
}
