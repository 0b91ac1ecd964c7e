import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '@toolpost/protocol';
import { writePrivateFile } from '../settings/write-private-file.ts';

const SHORTEST_TOKEN = 8;

/**
 * The token of a server that is about to start: TOOLPOST_TOKEN, else a random one. It is made before the host, so that the
 * host masks it like every secret.
 * @throws HostError CONFIG_INVALID for one that can be guessed or that no header carries.
 */
export function createServerToken(environment: Readonly<Record<string, string | undefined>>): string {
  const given = environment.TOOLPOST_TOKEN?.trim() ?? '';
  if (given === '') return randomBytes(32).toString('base64url');
  if (given.length < SHORTEST_TOKEN || !/^[\x21-\x7e]+$/.test(given)) {
    const right = `at least ${SHORTEST_TOKEN} characters of ASCII without blanks`;
    throw new HostError('CONFIG_INVALID', `TOOLPOST_TOKEN has to be ${right}; without it a random token is made`);
  }
  return given;
}

/** Where a client on this machine finds the token of the server at this port. */
export function tokenFile(homeDir: string, port: number): string {
  return join(homeDir, 'tokens', String(port));
}

/** Keeps it, for its owner alone. Returns what takes it away again, unless another server has put its own there. */
export function keepToken(homeDir: string, port: number, token: string): () => void {
  const file = tokenFile(homeDir, port);
  writePrivateFile(file, `${token}\n`);
  return () => {
    try {
      if (readFileSync(file, 'utf8').trim() === token) rmSync(file, { force: true });
    } catch {
      // Somebody took it away already.
    }
  };
}
