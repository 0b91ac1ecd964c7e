import { isJsonObject, type ToolResult } from '@toolpost/protocol';

/** Shorter values would blot out ordinary words. */
const MIN_SECRET_LENGTH = 6;
const MASK = '[redacted]';

/** Replaces the values of known secrets in a text. */
export interface Redactor {
  (text: string): string;
  /** Whether there is anything to look for. */
  readonly isActive: boolean;
  /** Where a text must be held back because a secret may have begun at its end. */
  holdBack(text: string): number;
}

/**
 * One redactor by value for everything that leaves a call: journal, log, event, store and model (design section
 * 8). `secrets` are provider keys and the secret settings of manifests; short ones are not looked for.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const long = [...secrets].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  // A secret with a quote or a backslash looks different inside JSON text.
  const values = [...new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))];
  // The longest first, so that a secret that contains another is masked whole.
  values.sort((a, b) => b.length - a.length);
  const redact = (text: string) => {
    let clean = text;
    for (const value of values) if (clean.includes(value)) clean = clean.replaceAll(value, MASK);
    return clean;
  };
  return Object.assign(redact, {
    isActive: values.length > 0,
    holdBack: (text: string) => startOfBegunSecret(text, values),
  });
}

function startOfBegunSecret(text: string, values: readonly string[]): number {
  let start = text.length;
  for (const value of values) {
    for (let length = Math.min(value.length - 1, text.length); length > 0; length--) {
      if (text.endsWith(value.slice(0, length))) {
        start = Math.min(start, text.length - length);
        break;
      }
    }
  }
  return start;
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
