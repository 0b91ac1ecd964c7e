import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Descriptor } from './filesystem/descriptor.ts';
import { type AttackWorld, createAttackWorld, SECRET } from './fixtures/attack-world.ts';
import { DEEDS, FOLLOW, listNames, readText, withOpen, writeText } from './fixtures/deeds.ts';
import { createFileModel, type FileModel, type Outcome } from './fixtures/file-model.ts';
import { preopenByDescriptor } from './fixtures/preopens.ts';
import { startSwapper } from './fixtures/race.ts';

/** A hash is no secret by itself, and cannot be told from that of a file of the root. */
const DEED_NAMES = Object.keys(DEEDS).filter((name) => name !== 'metadata-hash-at');
const SEQUENCES = Number(process.env.TOOLPOST_ATTACKS ?? 150);

/** One step of a sequence; `play` does it and returns what the guest learned, which must not be a secret. */
interface Step {
  readonly text: string;
  play(run: Run): string | undefined;
  /** What a failing sequence shows of it. */
  [fc.toStringMethod](): string;
}

interface Run {
  readonly world: AttackWorld;
  /** The directory of this sequence: a descriptor of it, and its path for the host. */
  readonly guest: Descriptor;
  readonly path: string;
  readonly model: FileModel;
  /** Directories that the guest holds, the oldest first. */
  readonly held: Descriptor[];
}

const ordinaryPath = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const wildName = fc.constantFrom('x', 'y', 'z');
const wildPath = fc
  .array(fc.oneof(wildName, fc.constantFrom('..', '.', 'swap', 'secret.txt', 'outside', 'root')), {
    minLength: 1,
    maxLength: 4,
  })
  .map((names) => names.join('/'));
const linkTarget = fc.oneof(
  wildPath,
  fc.constantFrom(
    '../../outside',
    '../../../outside',
    '../swap',
    '/',
    '/proc/self/root',
    '/proc/self/cwd',
    '../../root-evil',
    '.',
    '..',
  ),
);

/** The same thing for the guest and for the model, which must come out alike. */
function ordinary(
  text: string,
  act: (guest: Descriptor) => Outcome | undefined,
  expected: (model: FileModel) => Outcome,
): Step {
  return {
    text,
    [fc.toStringMethod]: () => text,
    play({ guest, model }) {
      expect({ text, outcome: outcomeOf(() => act(guest) ?? 'done') }).toEqual({ text, outcome: expected(model) });
      return undefined;
    },
  };
}

function outcomeOf(act: () => Outcome): Outcome {
  try {
    return act();
  } catch (refusal) {
    if (typeof refusal !== 'string') throw refusal;
    return refusal as Outcome;
  }
}

const ordinaryStep: fc.Arbitrary<Step> = fc.oneof(
  ordinaryPath.map((path) =>
    ordinary(
      `mkdir ${path}`,
      (guest) => void guest.createDirectoryAt(path),
      (model) => model.makeDirectory(path),
    ),
  ),
  ordinaryPath.map((path) =>
    ordinary(
      `rmdir ${path}`,
      (guest) => void guest.removeDirectoryAt(path),
      (model) => model.removeDirectory(path),
    ),
  ),
  ordinaryPath.map((path) =>
    ordinary(
      `unlink ${path}`,
      (guest) => void guest.unlinkFileAt(path),
      (model) => model.unlink(path),
    ),
  ),
  ordinaryPath.map((path) =>
    ordinary(
      `read ${path}`,
      (guest) => ({ text: readText(guest, path) }),
      (model) => model.read(path),
    ),
  ),
  fc.tuple(ordinaryPath, fc.string({ maxLength: 8 })).map(([path, text]) =>
    ordinary(
      `write ${path}`,
      (guest) => void writeText(guest, path, text),
      (model) => model.write(path, text),
    ),
  ),
  fc.tuple(ordinaryPath, ordinaryPath).map(([from, to]) =>
    ordinary(
      `rename ${from} ${to}`,
      (guest) => void guest.renameAt(from, guest, to),
      (model) => model.rename(from, to),
    ),
  ),
  ordinaryPath.map((path) =>
    ordinary(
      `list ${path}`,
      (guest) => ({ names: withOpen(guest, path, { openFlags: { directory: true } }, listNames).sort() }),
      (model) => model.list(path),
    ),
  ),
);

/** Whatever happens to it: the guest is refused, or learns no secret. */
function wild(text: string, act: (run: Run) => unknown): Step {
  return {
    text,
    [fc.toStringMethod]: () => text,
    play(run) {
      try {
        const learned = act(run);
        return typeof learned === 'string' ? learned : undefined;
      } catch (refusal) {
        const isExpected = typeof refusal === 'string' || (refusal instanceof Error && 'code' in refusal);
        if (!isExpected) throw refusal;
        return undefined;
      }
    },
  };
}

const fromWhere = (run: Run, index: number): Descriptor => run.held[index] ?? run.guest;

const wildStep: fc.Arbitrary<Step> = fc.oneof(
  wildName.map((name) => wild(`mkdir ${name}`, ({ guest }) => guest.createDirectoryAt(name))),
  wildName.map((name) => wild(`remove ${name}`, ({ guest }) => guest.removeDirectoryAt(name))),
  wildName.map((name) => wild(`unlink ${name}`, ({ guest }) => guest.unlinkFileAt(name))),
  wildPath.map((path) =>
    wild(`hold ${path}`, (run) => {
      run.held.unshift(run.guest.openAt(FOLLOW, path, { directory: true }, { read: true }));
      for (const old of run.held.splice(4)) old[Symbol.dispose]();
    }),
  ),
  fc
    .tuple(linkTarget, wildPath)
    .map(([target, path]) => wild(`link ${path} -> ${target}`, ({ guest }) => guest.symlinkAt(target, path))),
  fc
    .tuple(wildPath, wildPath)
    .map(([from, to]) => wild(`rename ${from} ${to}`, ({ guest }) => guest.renameAt(from, guest, to))),
  fc
    .tuple(fc.nat(3), fc.constantFrom(...DEED_NAMES), fc.oneof(fc.constant(''), wildPath))
    .map(([index, deed, path]) =>
      wild(`${deed} in ${path} from ${index}`, (run) =>
        DEEDS[deed]?.(run.guest, { from: fromWhere(run, index), path }),
      ),
    ),
  fc
    .tuple(fc.constantFrom(...DEED_NAMES), fc.constantFrom('swap', 'swap/b', 'hook', 'swap/../swap/b'))
    .map(([deed, path]) =>
      wild(`${deed} in ${path}`, ({ guest, world }) => DEEDS[deed]?.(guest, { from: world.guest, path })),
    ),
  // What another process of the user does meanwhile.
  fc
    .tuple(wildName, fc.boolean())
    .map(([name, isAbsolute]) =>
      wild(`host links ${name} out`, ({ path, world }) =>
        symlinkSync(isAbsolute ? world.outside : '../../outside', join(path, name)),
      ),
    ),
  fc
    .tuple(wildName, wildName)
    .map(([from, to]) => wild(`host moves ${from} ${to}`, ({ path }) => renameSync(join(path, from), join(path, to)))),
  wildName.map((name) =>
    wild(`host makes ${name}`, ({ path }) => {
      mkdirSync(join(path, name));
      for (const file of ['secret.txt', 'victim.txt']) writeFileSync(join(path, name, file), 'inside');
    }),
  ),
);

const sequence = fc.array(fc.oneof({ arbitrary: wildStep, weight: 3 }, { arbitrary: ordinaryStep, weight: 2 }), {
  minLength: 5,
  maxLength: 30,
});

test.skipIf(process.platform !== 'linux')(
  `in ${SEQUENCES} random sequences, while another process swaps a directory, no secret is read and nothing outside changes`,
  async () => {
    const world = createAttackWorld(preopenByDescriptor);
    const swapper = await startSwapper(world);
    let runs = 0;
    try {
      fc.assert(
        fc.property(sequence, (steps) => {
          runs += 1;
          playSequence(world, `run-${runs}`, steps);
          // A look at the outside costs more than a sequence.
          if (runs % 20 === 0) expect(world.isOutsideChanged()).toBe(false);
        }),
        { numRuns: SEQUENCES },
      );
      expect(world.isOutsideChanged()).toBe(false);
    } finally {
      await swapper.stop();
      world.remove();
    }
  },
  120_000,
);

function playSequence(world: AttackWorld, name: string, steps: readonly Step[]): void {
  world.guest.createDirectoryAt(name);
  const path = join(world.root, name);
  const guest = world.guest.openAt(FOLLOW, name, { directory: true }, { read: true });
  writeText(guest, 'own.txt', 'inside');
  const run: Run = { world, guest, path, model: createFileModel(), held: [] };
  try {
    for (const step of steps) expect(`${step.text}: ${step.play(run) ?? ''}`).not.toContain(SECRET);
  } finally {
    for (const held of [guest, ...run.held]) held[Symbol.dispose]();
    rmSync(path, { recursive: true });
  }
}
