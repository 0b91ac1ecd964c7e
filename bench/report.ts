import type { Measured } from './interleave.ts';
import { pairedRatio } from './statistics.ts';

/** What is held: `of` takes at most, or at least, so many times as long as `to`. Both are names of variants. */
export interface Target {
  readonly text: string;
  readonly of: string;
  readonly to: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Variants that do the same work, and what is asked of them. */
export interface Group {
  readonly title: string;
  readonly measured: readonly Measured[];
  readonly targets: readonly Target[];
  /** What is no time, such as memory: one sentence each. */
  readonly notes?: readonly string[];
}

export interface Verdict extends Target {
  readonly ratio: number;
  readonly isMet: boolean;
}

export function judge({ measured, targets }: Group): Verdict[] {
  return targets.map((target) => {
    const ratio = ratioOf(measured, target.of, target.to);
    const isMet = ratio <= (target.atMost ?? Number.POSITIVE_INFINITY) && ratio >= (target.atLeast ?? 0);
    return { ...target, ratio, isMet };
  });
}

/** The group as JSON: times in ms, and for each variant how many times as long as each other one it takes. */
export function toJson(group: Group) {
  const variants = group.measured.map(({ rounds: _rounds, ...one }) => {
    const others = group.measured.filter(({ name }) => name !== one.name);
    return {
      ...one,
      timesAsLongAs: Object.fromEntries(
        others.map(({ name }) => [name, rounded(ratioOf(group.measured, one.name, name))]),
      ),
    };
  });
  const { title, notes } = group;
  return { title, unit: 'ms', variants, targets: judge(group), ...(notes && { notes }) };
}

/** The group as a table for people, with one column for the floor and one for each way of Toolpost. */
export function toTable(group: Group): string {
  const { measured } = group;
  const floor = measured.find(({ role }) => role === 'floor');
  const own = measured.filter(({ role }) => role === 'toolpost');
  const bases = [...(floor ? [floor] : []), ...own];
  const head = [
    '',
    'median',
    'p90',
    'a second',
    ...bases.map((_base, index) => (floor && index === 0 ? 'x floor' : `x T${index}`)),
  ];
  const rows = measured.map((one) => [
    label(one, own),
    duration(one.median),
    duration(one.p90),
    COMPACT.format(1000 / one.median),
    ...bases.map(({ name }) => (name === one.name ? '1' : number(ratioOf(measured, one.name, name)))),
  ]);
  const verdicts = judge(group).map(
    ({ text, ratio, isMet }) => `  ${isMet ? 'met    ' : 'NOT MET'}  ${text}: ${number(ratio)}`,
  );
  const notes = (group.notes ?? []).map((note) => `  ${note}`);
  return [group.title, ...columns([head, ...rows]), ...notes, ...verdicts, ''].join('\n');
}

function label(one: Measured, own: readonly Measured[]): string {
  return one.role === 'toolpost' ? `T${own.indexOf(one) + 1} ${one.name}` : `   ${one.name}`;
}

function ratioOf(measured: readonly Measured[], of: string, to: string): number {
  return pairedRatio(roundsOf(measured, of), roundsOf(measured, to));
}

function roundsOf(measured: readonly Measured[], name: string): readonly number[] {
  const found = measured.find((one) => one.name === name);
  if (!found) throw new Error(`a target names the variant ${JSON.stringify(name)}, which was not measured`);
  return found.rounds;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, index) =>
      index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0),
    );
    return `  ${cells.join('  ')}`;
  });
}

function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toPrecision(3)} s`;
  return ms >= 1 ? `${ms.toPrecision(3)} ms` : `${(ms * 1000).toPrecision(3)} us`;
}

function number(value: number): string {
  if (value < 0.01) return '< 0.01';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
