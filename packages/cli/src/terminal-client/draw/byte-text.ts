const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** An amount of bytes for a person, as `24 KB`. */
export function byteText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))));
  const amount = bytes / 1024 ** power;
  return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[power]}`;
}
