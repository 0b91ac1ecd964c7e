/** What an element sends when it is used: `data-action` and its other `data-*`. */
export function dataAttributes(action: string | undefined, data: Readonly<Record<string, unknown>> = {}) {
  if (action === undefined) return {};
  const entries = Object.entries(data).map(([key, value]) => [
    `data-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { 'data-action': action, ...Object.fromEntries(entries) } as Readonly<Record<string, string>>;
}
