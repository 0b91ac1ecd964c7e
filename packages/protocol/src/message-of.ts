/** What a thrown value says. Never throws itself, whatever was thrown. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'something was thrown that cannot be shown';
  }
}
