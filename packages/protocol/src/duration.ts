const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/y;

/**
 * Reads Go duration text (`500ms`, `30s`, `1m30s`, `-1s`, `0`) as milliseconds.
 * @throws RangeError that quotes the text and shows the right form.
 */
export function parseDuration(text: string): number {
  const negative = text.startsWith('-');
  const body = text.replace(/^[+-]/, '');
  if (body === '0') return 0;
  let total = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < body.length) {
    const part = PART.exec(body);
    if (!part) throw new RangeError(`"${text}" is not a duration: write it like 500ms, 30s or 1m30s`);
    total += Number(part[1]) * (UNIT_MS[part[2] ?? ''] ?? 0);
  }
  if (body === '') throw new RangeError('an empty text is not a duration: write it like 500ms, 30s or 1m30s');
  // To the nanosecond, the finest unit: 16.144 * 1000 is not quite 16144.
  const ms = Math.round(total * 1e6) / 1e6;
  return negative ? -ms : ms;
}

/** Writes milliseconds as the shortest Go duration text: 90000 is `1m30s`, 1500 is `1.5s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = Number(((ms % 60_000) / 1000).toFixed(3));
  return `${hours ? `${hours}h` : ''}${minutes ? `${minutes}m` : ''}${seconds || (!hours && !minutes) ? `${seconds}s` : ''}`;
}
