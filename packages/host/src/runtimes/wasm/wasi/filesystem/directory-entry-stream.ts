import { type Dir, opendirSync } from 'node:fs';
import { type DescriptorType, descriptorType } from './describe-stats.ts';
import { fail, withErrorCodes } from './error-code.ts';
import type { HandleLimit } from './handle-limit.ts';
import type { Held } from './held.ts';

export interface DirectoryEntry {
  readonly type: DescriptorType;
  readonly name: string;
}

/** The resource `directory-entry-stream`: a directory's entries as they are asked for, however many it has. */
export class DirectoryEntryStream {
  readonly #held: Held;
  readonly #entries: Dir;
  readonly #handles: HandleLimit;
  #isOpen = true;

  /** Takes over `held`. */
  constructor(held: Held, handles: HandleLimit) {
    handles.add();
    this.#handles = handles;
    this.#held = held;
    try {
      this.#entries = opendirSync(held.self());
    } catch (error) {
      handles.remove();
      throw error;
    }
  }

  readDirectoryEntry(): DirectoryEntry | undefined {
    if (!this.#isOpen) fail('bad-descriptor');
    return withErrorCodes(() => {
      const entry = this.#entries.readSync();
      return entry === null ? undefined : { type: descriptorType(entry), name: entry.name };
    });
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#handles.remove();
    this.#entries.closeSync();
    this.#held.close();
  }
}
