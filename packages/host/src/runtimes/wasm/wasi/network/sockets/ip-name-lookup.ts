import { parseHost } from '../../../../../permissions/host-policy.ts';
import { SETTLED } from '../../../network/net-messages.ts';
import { Pollable } from '../../io/pollable.ts';
import type { Channel } from '../channel.ts';
import { type NetLink, withGuestCode } from '../net-link.ts';
import { type IpAddressValue, toIpAddress } from './ip-socket-address.ts';
import type { Network } from './network.ts';

/** The resource `resolve-address-stream` of wasi:sockets. */
export class ResolveAddressStream {
  readonly #net: NetLink;
  #channel: Channel | undefined;
  #addresses: IpAddressValue[] = [];
  #failure: unknown;

  /** Waits for the lookup of a channel, or has the addresses already. */
  constructor(net: NetLink, found: Channel | IpAddressValue[]) {
    this.#net = net;
    if (Array.isArray(found)) this.#addresses = found;
    else this.#channel = found;
  }

  resolveNextAddress(): IpAddressValue | undefined {
    if (this.#channel) this.#takeAnswer(this.#channel);
    if (this.#failure !== undefined) throw this.#failure;
    return this.#addresses.shift();
  }

  subscribe(): Pollable {
    return new Pollable(this.#net.scope, { isReady: () => this.#channel?.has(SETTLED) ?? true });
  }

  [Symbol.dispose](): void {
    this.#channel?.release();
    this.#channel = undefined;
  }

  #takeAnswer(channel: Channel): void {
    if (!channel.has(SETTLED)) throw 'would-block';
    try {
      const addresses = withGuestCode(() => this.#net.request('net.addresses', channel.number));
      this.#addresses = addresses.map(toIpAddress);
    } catch (error) {
      this.#failure = error;
    } finally {
      this[Symbol.dispose]();
    }
  }
}

export function createNameLookup(net: NetLink) {
  /** Names are looked up by the host; an address is its own answer. */
  function resolveAddresses(_network: Network, name: string): ResolveAddressStream {
    const host = parseHost(name);
    if (!host) throw 'invalid-argument';
    if (host.type === 'address') return new ResolveAddressStream(net, [toIpAddress(host.address.bytes)]);
    return new ResolveAddressStream(
      net,
      withGuestCode(() => net.open('net.lookup', host.name)),
    );
  }

  return { 'wasi:sockets/ip-name-lookup': { ResolveAddressStream, resolveAddresses } };
}
