import { plainLine } from '../text/plain-text.ts';

const MAX_CHARS = 200;

/** The arguments of a call in one line, where nothing better is known of it. */
export function CallArguments({ text }: { readonly text: string }) {
  const line = plainLine(text);
  if (line === '' || line === '{}') return null;
  return <p className="call-arguments">{line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line}</p>;
}
