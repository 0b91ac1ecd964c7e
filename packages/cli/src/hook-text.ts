import type { HookListing } from '@toolpost/host';

/** What a hook hears of, in words. */
export function hookText({ event, matcher, failClosed }: HookListing): string {
  const whose = matcher === '*' ? 'of every tool' : `of ${matcher}`;
  return `${event} ${whose}${failClosed ? ' (denies when it fails)' : ''}`;
}
