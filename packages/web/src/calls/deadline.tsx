import { formatMoment } from '../text/format.ts';

/** Until when a question waits for its answer. */
export function Deadline({ expiresAt }: { readonly expiresAt: number | undefined }) {
  if (expiresAt === undefined) return null;
  return <span className="deadline">Waits for you until {formatMoment(expiresAt)}</span>;
}
