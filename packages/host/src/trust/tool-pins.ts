import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isJsonObject, messageOf, type ToolDefinition } from '@toolpost/protocol';
import { definitionHash } from '../registry/definition-hash.ts';
import { foldName } from '../registry/fold-name.ts';
import type { WithheldTool } from '../registry/withheld-tool.ts';
import { withLockFile } from '../settings/lock-file.ts';
import { writePrivateFile } from '../settings/write-private-file.ts';

/** For one plugin: more than a server's tools are called in years, and little enough to be read at each of its lists. */
const LIMITS = { names: 20_000, characters: 32 * 1024 * 1024 } as const;
/** So many are hashed before others have a turn. */
const BATCH = 200;

/** A tool whose definition is not the one that was accepted. */
export type ChangedTool = WithheldTool['changed'];

/** What a plugin lists, compared with what is kept of it. */
export interface Judgement {
  readonly changed: readonly ChangedTool[];
  /** Names that were not seen before and for which there is no more room: nothing would tell that they change. */
  readonly unkept: readonly string[];
}

/** The definitions of one plugin's tools as a person has accepted them, or met them first. */
export interface ToolPins {
  readonly file: string;
  /**
   * Compares what a plugin lists with what is kept. A name that was not seen before is kept as it is; a changed
   * definition is kept as one to be accepted, or in place of the former one with `accepts`.
   */
  judge(definitions: readonly ToolDefinition[], options?: { accepts: boolean }): Promise<Judgement>;
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

/** A file of pins while it is worked on. */
interface PinFile {
  /** By folded names. */
  readonly pins: Map<string, Pin>;
  /** Of its JSON, about. */
  characters: number;
  isChanged: boolean;
}

/** How much is kept of one plugin: `characters` of accepted definitions, and as much again of those that wait. */
export interface PinLimits {
  readonly names: number;
  readonly characters: number;
}

/**
 * A server can change what it says of a tool at any time, after a person has looked at it (fault H 77): so the first
 * definition that was seen is kept, one file a plugin in the home directory. By the folded name, as for permission rules
 * `Echo` is `echo`: it may not come back as a new tool that the rules of the former one allow.
 */
export function createToolPins(homeDir: string, pluginId: string, limits: PinLimits = LIMITS): ToolPins {
  const file = toolPinsFile(homeDir, pluginId);

  const change = <T>(work: (kept: PinFile) => T): Promise<T> =>
    withLockFile(file, async () => {
      const kept = readPins(file);
      const result = work(kept);
      if (kept.isChanged) writePins(file, kept.pins);
      return result;
    });

  return {
    file,
    async judge(definitions, { accepts } = { accepts: false }) {
      await hashInTurns(definitions);
      return change((kept) => judgeAll(kept, definitions, { accepts, limits }));
    },
    pending: () => [...readPins(file).pins.values()].flatMap(toChanged),
    accept: (name) =>
      change((kept) =>
        [...kept.pins].flatMap(([key, pin]) => {
          if (name !== undefined && foldName(name) !== key) return [];
          const changed = toChanged(pin);
          for (const { now } of changed) keep(kept, key, toPin(now));
          return changed;
        }),
      ),
  };
}

/** A list may be long, and nobody waits under the lock for it to be hashed: hashes are known from then on. */
async function hashInTurns(definitions: readonly ToolDefinition[]): Promise<void> {
  for (const [index, definition] of definitions.entries()) {
    if (index % BATCH === BATCH - 1) await nextTurn();
    definitionHash(definition);
  }
}

/** Ids that differ only in case are one plugin to discovery, and one file to some file systems. */
function toolPinsFile(homeDir: string, pluginId: string): string {
  return join(homeDir, 'pins', `${pluginId.toLowerCase()}.json`);
}

interface JudgeParts {
  readonly accepts: boolean;
  readonly limits: PinLimits;
}

function judgeAll(kept: PinFile, definitions: readonly ToolDefinition[], { accepts, limits }: JudgeParts): Judgement {
  const changed: ChangedTool[] = [];
  const unkept: string[] = [];
  for (const definition of definitions) {
    const { name } = definition;
    const pin = kept.pins.get(foldName(name));
    if (!pin) {
      if (!keepNew(kept, definition, limits)) unkept.push(name);
    } else if (isChanged(kept, pin, { definition, accepts })) {
      changed.push({ name, accepted: pin.accepted, now: definition });
    }
  }
  if (kept.characters > 2 * limits.characters) forgetOthersPending(kept, definitions);
  return { changed, unkept };
}

/** @returns whether there was room. */
function keepNew(kept: PinFile, definition: ToolDefinition, limits: PinLimits): boolean {
  if (kept.pins.size >= limits.names || kept.characters >= limits.characters) return false;
  kept.characters += charactersOf(definition);
  keep(kept, foldName(definition.name), toPin(definition));
  return true;
}

/** Whether it is another definition than the accepted one. What is listed now is kept beside that, or in its place. */
function isChanged(
  kept: PinFile,
  pin: Pin,
  { definition, accepts }: { readonly definition: ToolDefinition; readonly accepts: boolean },
): boolean {
  const key = foldName(definition.name);
  const hash = definitionHash(definition);
  const { pending, ...accepted } = pin;
  if (pin.hash === hash) {
    if (pending) keep(kept, key, accepted);
    return false;
  }
  if (accepts) keep(kept, key, toPin(definition));
  else if (!pending || definitionHash(pending) !== hash) {
    kept.characters += charactersOf(definition);
    keep(kept, key, { ...pin, pending: definition });
  }
  return true;
}

/** A server that changes other tools at each list leaves behind what it no longer lists: it comes again when it does. */
function forgetOthersPending(kept: PinFile, listed: readonly ToolDefinition[]): void {
  const names = new Set(listed.map(({ name }) => foldName(name)));
  for (const [key, { pending, ...accepted }] of kept.pins) {
    if (pending && !names.has(key)) keep(kept, key, accepted);
  }
}

function keep(kept: PinFile, key: string, pin: Pin): void {
  kept.pins.set(key, pin);
  kept.isChanged = true;
}

function charactersOf(definition: ToolDefinition): number {
  return JSON.stringify(definition).length;
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
function readPins(file: string): PinFile {
  const text = readText(file);
  if (text === undefined) return { pins: new Map(), characters: 0, isChanged: false };
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || !isJsonObject(value.tools)) throw new Error('it has no tools');
    const pins = Object.entries(value.tools).map(([name, pin]) => [foldName(name), checked(name, pin)] as const);
    return { pins: new Map(pins), characters: text.length, isChanged: false };
  } catch (cause) {
    const why = messageOf(cause);
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
