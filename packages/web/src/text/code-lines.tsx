import type { Token } from './highlight.ts';

export function TokenLine({ tokens }: { readonly tokens: readonly Token[] }) {
  let at = 0;
  return tokens.map((token) => {
    const key = at;
    at += token.text.length;
    return (
      <span key={key} style={{ color: token.color }}>
        {token.text}
      </span>
    );
  });
}
