/** When a question ends by itself, and as what, to stand behind it; empty for one that does not. */
export function runsOut({ expiresAt }: { readonly expiresAt?: number | undefined }, as: string): string {
  if (expiresAt === undefined) return '';
  const at = new Date(expiresAt);
  const [hours, minutes] = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0'));
  return `, ${as} at ${hours}:${minutes} if nobody answers`;
}

/** What is said of a question that was taken back. */
export function whyTakenBack({ expiresAt }: { readonly expiresAt?: number | undefined }, reason: string): string {
  return expiresAt !== undefined && Date.now() >= expiresAt ? 'nobody answered in time' : reason;
}
