import type { ReactNode } from 'react';

const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** Where an address leads; undefined where it is none that a page may open. */
export function readAddress(address: string | undefined): URL | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return SCHEMES.has(url.protocol) ? url : undefined;
}

/** A link of a model or a tool: what it says may be a lie, so its host stands beside it. */
export function SafeLink({ href, children }: { readonly href: string | undefined; readonly children?: ReactNode }) {
  const url = readAddress(href);
  if (!url) return <span className="dead-link">{children}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" title={url.href}>
      {children}
      <span className="link-host"> ({url.protocol === 'mailto:' ? url.pathname : url.host})</span>
    </a>
  );
}

/** A picture from elsewhere would tell its server who reads what: it is a link. */
export function RemoteImage({ src, alt }: { readonly src: string | undefined; readonly alt: string | undefined }) {
  return (
    <span className="remote-image">
      Image, not loaded: <SafeLink href={src}>{alt || 'without a description'}</SafeLink>
    </span>
  );
}
