import { toWhyListing } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { withHost } from '../open-host.ts';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';
import { whyText } from '../why-text.ts';

export interface WhyOptions extends CommonOptions {
  readonly json: boolean;
}

/** `toolpost why`: the decisions about a name. Exits with 1 when nothing of that name is known. */
export async function why(name: string, options: WhyOptions): Promise<number> {
  const show: Parameters<typeof withHost<number>>[1] = async (host, session) => {
    const listing = toWhyListing(await host.why(name, session));
    await print(options.json ? `${JSON.stringify(listing)}\n` : plainText(whyText(listing)));
    return listing.candidates.length > 0 ? 0 : 1;
  };
  return withHost(options, show, { warnsOfBroken: false });
}
