/** How long something took, for people: `240 ms`, `3.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`;
}

const counts = new Intl.NumberFormat('en');

export function formatCount(count: number): string {
  return counts.format(count);
}

export function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** The time of today, else the day. */
export function formatWhen(at: number, now = Date.now()): string {
  const date = new Date(at);
  return isSameDay(at, now) ? timeOf(date) : dayOf(date);
}

/** As `formatWhen`, with the time of another day too: `1 Dec, 00:12`. */
export function formatMoment(at: number, now = Date.now()): string {
  const date = new Date(at);
  return isSameDay(at, now) ? timeOf(date) : `${dayOf(date)}, ${timeOf(date)}`;
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

const timeOf = (date: Date) => date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
