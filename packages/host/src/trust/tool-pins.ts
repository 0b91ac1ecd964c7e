import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type ToolDefinition } from '@toolpost/protocol';
import { definitionHash } from '../registry/definition-hash.ts';
import { foldName } from '../registry/fold-name.ts';
import type { WithheldTool } from '../registry/withheld-tool.ts';
import { withLockFile } from '../settings/lock-file.ts';
import { writePrivateFile } from '../settings/write-private-file.ts';

/** A tool whose definition is not the one that was accepted. */
export type ChangedTool = WithheldTool['changed'];

/** The definitions of one plugin's tools as a person has accepted them, or met them first. */
export interface ToolPins {
  readonly file: string;
  /**
   * Compares what a plugin lists with what is kept. A name that was not seen before is kept as it is; a changed
   * definition is kept as one to be accepted, or in place of the former one with `accepts`.
   * @returns the changed ones.
   */
  judge(definitions: readonly ToolDefinition[], options?: { accepts: boolean }): Promise<ChangedTool[]>;
  /** Those that wait to be accepted. */
  pending(): ChangedTool[];
  /** Accepts what waits: of one tool, or of all. Returns what was accepted. */
  accept(name?: string): Promise<ChangedTool[]>;
}

interface Pin {
  /** Of the accepted definition. */
  hash: string;
  accepted: ToolDefinition;
  /** What the plugin lists now. */
  pending?: ToolDefinition;
}

/**
 * A server can change what it says of a tool at any time, after a person has looked at it (fault H 77): so the first
 * definition that was seen is kept, one file a plugin in the home directory. By the folded name, as for permission rules
 * `Echo` is `echo`: it may not come back as a new tool that the rules of the former one allow.
 */
export function createToolPins(homeDir: string, pluginId: string): ToolPins {
  const file = toolPinsFile(homeDir, pluginId);

  const change = <T>(work: (pins: Map<string, Pin>) => T): Promise<T> =>
    withLockFile(file, async () => {
      const pins = readPins(file);
      const before = JSON.stringify([...pins]);
      const result = work(pins);
      if (JSON.stringify([...pins]) !== before) writePins(file, pins);
      return result;
    });

  return {
    file,
    judge: (definitions, { accepts } = { accepts: false }) =>
      change((pins) => definitions.flatMap((definition) => judgeOne(pins, definition, accepts))),
    pending: () => [...readPins(file).values()].flatMap(toChanged),
    accept: (name) =>
      change((pins) =>
        [...pins].flatMap(([key, pin]) => {
          if (name !== undefined && foldName(name) !== key) return [];
          const changed = toChanged(pin);
          for (const { now } of changed) pins.set(key, toPin(now));
          return changed;
        }),
      ),
  };
}

/** Ids that differ only in case are one plugin to discovery, and one file to some file systems. */
function toolPinsFile(homeDir: string, pluginId: string): string {
  return join(homeDir, 'pins', `${pluginId.toLowerCase()}.json`);
}

function judgeOne(pins: Map<string, Pin>, definition: ToolDefinition, accepts: boolean): ChangedTool[] {
  const { name } = definition;
  const key = foldName(name);
  const pin = pins.get(key);
  const hash = definitionHash(definition);
  if (!pin || pin.hash === hash) {
    pins.set(key, pin ? { hash, accepted: pin.accepted } : toPin(definition));
    return [];
  }
  pins.set(key, accepts ? toPin(definition) : { ...pin, pending: definition });
  return [{ name, accepted: pin.accepted, now: definition }];
}

function toPin(definition: ToolDefinition): Pin {
  return { hash: definitionHash(definition), accepted: definition };
}

function toChanged({ accepted, pending }: Pin): ChangedTool[] {
  return pending ? [{ name: pending.name, accepted, now: pending }] : [];
}

function writePins(file: string, pins: ReadonlyMap<string, Pin>): void {
  writePrivateFile(file, `${JSON.stringify({ tools: Object.fromEntries(pins) })}\n`);
}

/** @throws Error for a file that is damaged: taken for none, it would let every change pass. */
function readPins(file: string): Map<string, Pin> {
  const text = readText(file);
  if (text === undefined) return new Map();
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || !isJsonObject(value.tools)) throw new Error('it has no tools');
    return new Map(Object.entries(value.tools).map(([name, pin]) => [foldName(name), checked(name, pin)]));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} is damaged (${why}): without it, all tools of the plugin are met anew`, { cause });
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function checked(name: string, value: unknown): Pin {
  if (!isPin(value)) throw new Error(`${name} is not as it was written`);
  return value;
}

function isPin(value: unknown): value is Pin {
  if (!isJsonObject(value) || typeof value.hash !== 'string') return false;
  return isDefinition(value.accepted) && (value.pending === undefined || isDefinition(value.pending));
}

function isDefinition(value: unknown): boolean {
  return isJsonObject(value) && typeof value.name === 'string' && isJsonObject(value.inputSchema);
}
