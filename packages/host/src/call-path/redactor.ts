import { isJsonObject, type ToolResult } from '@toolpost/protocol';

/** Shorter values would blot out ordinary words. */
const MIN_SECRET_LENGTH = 6;
const MASK = '[redacted]';

/** Replaces the values of known secrets in a text. */
export interface Redactor {
  (text: string): string;
  /** Whether there is anything to look for. */
  readonly isActive: boolean;
  /** All secrets that it was given. */
  readonly secrets: readonly string[];
  /** Looks for these too from now on: some are read when the plugin that they are for starts. */
  add(secrets: Iterable<string>): void;
  /** Where a text must be held back because a secret may have begun at its end. */
  holdBack(text: string): number;
}

/**
 * One redactor by value for everything that leaves a call: journal, log, event, store and model (design section
 * 8). `secrets` are provider keys and the secret settings of manifests; short ones are not looked for.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const known = new Set<string>();
  let values: readonly string[] = [];
  const add = (more: Iterable<string>) => {
    const before = known.size;
    for (const secret of more) if (secret.length >= MIN_SECRET_LENGTH) known.add(secret);
    if (known.size > before) values = [...new Set([...known].flatMap(spellings))];
  };
  add(secrets);
  const redact = (text: string) => {
    const found = values.some((value) => text.includes(value)) ? findSpans(text, values) : [];
    return found.length === 0 ? text : maskSpans(text, found);
  };
  const rest = { add, holdBack: (text: string) => startOfBegunSecret(text, values), isActive: false, secrets: [] };
  return Object.defineProperties(Object.assign(redact, rest), {
    isActive: { get: () => values.length > 0 },
    secrets: { get: () => [...known] },
  });
}

/** A secret with a quote or a line end looks different in JSON text, and again in JSON text within JSON. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, JSON.stringify(inJson).slice(1, -1)];
}

interface Span {
  start: number;
  end: number;
}

/** Where secrets stand. Those that overlap are one: a part of either would be left otherwise. */
function findSpans(text: string, values: readonly string[]): Span[] {
  const all: Span[] = [];
  for (const value of values) {
    for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + 1))
      all.push({ start, end: start + value.length });
  }
  all.sort((a, b) => a.start - b.start);
  const merged: Span[] = [];
  for (const span of all) {
    const last = merged.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push(span);
  }
  return merged;
}

function maskSpans(text: string, spans: readonly Span[]): string {
  let clean = '';
  let from = 0;
  for (const { start, end } of spans) {
    clean += text.slice(from, start) + MASK;
    from = end;
  }
  return clean + text.slice(from);
}

/** The earliest place where a secret may have begun, moved to before any whole one that it lies in. */
function startOfBegunSecret(text: string, values: readonly string[]): number {
  let start = text.length;
  for (const value of values) {
    const longest = Math.min(value.length - 1, text.length);
    for (let length = longest; length > text.length - start; length--) {
      if (text.endsWith(value.slice(0, length))) start = text.length - length;
    }
  }
  const around = start < text.length && findSpans(text, values).find((span) => span.start < start && start < span.end);
  return around ? around.start : start;
}

/** Redacts every text of a result; returns the same object when there is nothing to look for. */
export function redactResult(result: ToolResult, redact: Redactor): ToolResult {
  return redact.isActive ? (redactDeep(result, redact) as ToolResult) : result;
}

function redactDeep(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactDeep(item, redact)]));
}
