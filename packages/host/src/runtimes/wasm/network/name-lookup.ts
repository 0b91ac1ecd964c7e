import type { Channel, ChannelFlags } from './channel-table.ts';
import { createDeadlines } from './deadlines.ts';
import { SETTLED } from './net-messages.ts';
import { socketRefusal, socketRefusalOf } from './network-error.ts';
import type { NetworkLimits } from './network-limits.ts';
import { allowedAddresses, type ConnectionContext } from './open-connection.ts';

export interface NameLookupOptions {
  /** A name that the policy allows. */
  readonly name: string;
  readonly context: ConnectionContext;
  readonly limits: NetworkLimits;
  readonly flags: ChannelFlags;
  /** Told of each address that the guest will be given. */
  readonly onAddress: (address: readonly number[]) => void;
}

/** One lookup of a guest: it gets the addresses that it may connect to. */
export class NameLookup implements Channel {
  readonly #deadlines = createDeadlines();
  #addresses: readonly (readonly number[])[] | undefined;
  #failure: Error | undefined;

  constructor({ name, context, limits, flags, onAddress }: NameLookupOptions) {
    const settle = (failure?: Error) => {
      if (this.#addresses === undefined) this.#failure ??= failure;
      this.#deadlines.stopAll();
      flags.raise(SETTLED);
    };
    this.#deadlines.start('lookup', limits.connectMs, () => settle(socketRefusal('temporary-resolver-failure')));
    const found = context.lookUp(name).then((texts) => {
      if (this.#failure) return;
      this.#addresses = allowedAddresses({ name, port: undefined, texts }, context).map(({ bytes }) => bytes);
      for (const address of this.#addresses) onAddress(address);
      settle();
    });
    found.catch((error) => settle(socketRefusalOf(error)));
  }

  /** @throws LinkRefusal with a SocketErrorCode. */
  addresses(): readonly (readonly number[])[] {
    if (!this.#addresses) throw this.#failure ?? socketRefusal('unknown');
    return this.#addresses;
  }

  destroy(): void {
    this.#failure ??= socketRefusal('unknown');
    this.#deadlines.stopAll();
  }
}
