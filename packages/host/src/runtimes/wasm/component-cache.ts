import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '@toolpost/protocol';
import { writePrivateFile } from '../../settings/write-private-file.ts';
import type { FunctionTools } from './functions/function-tools.ts';
import type { TranspiledComponent } from './transpiled-component.ts';

/** What is kept of one component. */
export interface CachedComponent {
  readonly component: TranspiledComponent;
  /** Its plain functions, when it is of no world that is hosted. */
  readonly functions?: FunctionTools | undefined;
  /** What the component said of its tools when it was last asked. */
  readonly declarations?: readonly unknown[] | undefined;
  /** V8's code for the glue, of the very Node that runs. */
  readonly codeCache?: Uint8Array | undefined;
}

export interface ComponentCache {
  /** Undefined when there is none, or it is damaged. */
  get(key: string): CachedComponent | undefined;
  /** Never throws: a cache that cannot be written is only slower. */
  set(key: string, entry: CachedComponent): void;
}

/** An entry that was written longer ago goes when another is written; a plugin that is still used is transpiled again. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;
/** Counts changes of what an entry holds, and of how the glue is made. */
const FORMAT = 3;
const MAGIC = 'toolpost-wasm\n';
const DIGEST_BYTES = 32;
const V8_CODE = `${process.version}-${process.platform}-${process.arch}`;

/** One file for each component: written beside and renamed, so that two hosts at once see a whole one or none. */
export function createComponentCache(homeDir: string): ComponentCache {
  const folder = join(homeDir, 'cache', 'wasm');
  const fileOf = (key: string) => join(folder, `${key}.bin`);
  return {
    get(key) {
      try {
        return decode(readFileSync(fileOf(key)));
      } catch {
        // Absent, or damaged: what is made now takes its place.
        return undefined;
      }
    },
    set(key, entry) {
      try {
        writePrivateFile(fileOf(key), encode(entry));
        removeOldFiles(folder);
      } catch {
        // Read-only or full disk: the next start transpiles again.
      }
    },
  };
}

/** Former builds of a plugin, and what a host that was killed left half written. */
function removeOldFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - writtenAt > MAX_AGE_MS) rmSync(file, { force: true });
  }
}

/** The key of a component's bytes, as transpiled by one version of the transpiler. */
export function componentKey(bytes: Uint8Array, transpilerVersion: string): string {
  return createHash('sha256').update(`${FORMAT} ${transpilerVersion}\n`).update(bytes).digest('hex');
}

interface Head {
  imports: string[];
  exports: string[];
  /** Name and length of each part behind the head, in order: the glue, the modules, then V8's code. */
  modules: [name: string, bytes: number][];
  glueBytes: number;
  functions?: FunctionTools;
  declarations?: readonly unknown[];
  v8?: { for: string; bytes: number };
}

function encode({ component, functions, declarations, codeCache }: CachedComponent): Buffer {
  const glue = Buffer.from(component.glue);
  const modules = [...component.modules];
  const head: Head = {
    imports: [...component.imports],
    exports: [...component.exports],
    glueBytes: glue.length,
    modules: modules.map(([name, bytes]) => [name, bytes.length]),
    ...(functions && { functions }),
    ...(declarations && { declarations }),
    ...(codeCache && { v8: { for: V8_CODE, bytes: codeCache.length } }),
  };
  const headBytes = Buffer.from(`${JSON.stringify(head)}\n`);
  const body = Buffer.concat([headBytes, glue, ...modules.map(([, bytes]) => bytes), codeCache ?? Buffer.alloc(0)]);
  return Buffer.concat([Buffer.from(MAGIC), createHash('sha256').update(body).digest(), body]);
}

/** @throws when it is not what `encode` wrote. V8 checks no code that it is given, so every byte counts. */
function decode(file: Buffer): CachedComponent {
  const bodyStart = MAGIC.length + DIGEST_BYTES;
  const body = file.subarray(bodyStart);
  const digest = file.subarray(MAGIC.length, bodyStart);
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC || !createHash('sha256').update(body).digest().equals(digest))
    throw new Error('damaged');
  const headEnd = body.indexOf(0x0a);
  const head: unknown = JSON.parse(body.toString('utf8', 0, headEnd));
  if (!isHead(head)) throw new Error('not ours');
  let at = headEnd + 1;
  const next = (length: number): Uint8Array<ArrayBuffer> => {
    at += length;
    return Uint8Array.from(body.subarray(at - length, at));
  };
  const glue = Buffer.from(next(head.glueBytes)).toString();
  const modules = new Map(head.modules.map(([name, length]) => [name, next(length)]));
  return {
    component: { glue, modules, imports: head.imports, exports: head.exports },
    functions: head.functions,
    declarations: head.declarations,
    codeCache: head.v8?.for === V8_CODE ? next(head.v8.bytes) : undefined,
  };
}

/** The digest holds: it is an entry of ours. */
function isHead(value: unknown): value is Head {
  return isJsonObject(value) && typeof value.glueBytes === 'number';
}
