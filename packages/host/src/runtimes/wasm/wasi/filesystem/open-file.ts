import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { fail } from './error-code.ts';
import type { HandleLimit } from './handle-limit.ts';

/** An open regular file. A guest's descriptor and the streams over it share one descriptor of the system. */
export class OpenFile {
  readonly #fd: number;
  readonly #handles: HandleLimit;
  #users = 1;
  /** A second descriptor that the system appends with, opened by the first append. */
  #appendFd: number | undefined;

  /** Takes over `fd`, which was counted in `handles`. */
  constructor(fd: number, handles: HandleLimit) {
    this.#fd = fd;
    this.#handles = handles;
  }

  /** @throws bad-descriptor once closed: the number may be another file of the host by then. */
  get fd(): number {
    return this.#users > 0 ? this.#fd : fail('bad-descriptor');
  }

  /** One more user, who calls `release`. */
  retain(): this {
    if (this.#users === 0) fail('bad-descriptor');
    this.#users += 1;
    return this;
  }

  release(): void {
    if (this.#users === 0) return;
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#handles.remove();
    closeSync(this.#fd);
    if (this.#appendFd !== undefined) closeSync(this.#appendFd);
  }

  /**
   * Writes to the end of the file and returns how many bytes. On Linux the system finds the end, so that two writers do
   * not write over one another.
   */
  append(bytes: Uint8Array): number {
    if (process.platform !== 'linux') return writeSync(this.fd, bytes, 0, bytes.length, fstatSync(this.fd).size);
    this.#appendFd ??= openSync(`/proc/self/fd/${this.fd}`, constants.O_WRONLY | constants.O_APPEND);
    return writeSync(this.#appendFd, bytes);
  }
}
