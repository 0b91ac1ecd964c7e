import { addressKind, ipAddressOf } from '../../../../../permissions/ip-address.ts';
import { type ConnectedEnds, type ConnectTarget, SETTLED } from '../../../network/net-messages.ts';
import { InputStream } from '../../io/input-stream.ts';
import { OutputStream } from '../../io/output-stream.ts';
import { Pollable } from '../../io/pollable.ts';
import type { Channel } from '../channel.ts';
import { type NetLink, withGuestCode } from '../net-link.ts';
import {
  fromIpSocketAddress,
  type IpAddressFamily,
  type IpSocketAddress,
  toIpSocketAddress,
} from './ip-socket-address.ts';
import type { Network } from './network.ts';
import { TcpOptions } from './tcp-options.ts';

/** The resource `tcp-socket` of wasi:sockets, for outgoing connections. Error codes are thrown as they are. */
export class TcpSocket extends TcpOptions {
  readonly #net: NetLink;
  readonly #family: IpAddressFamily;
  #channel: Channel | undefined;
  #ends: ConnectedEnds | undefined;
  #isInputShut = false;
  #state: 'new' | 'connecting' | 'connected' | 'closed' = 'new';

  constructor(net: NetLink, family: IpAddressFamily) {
    super();
    net.scope.handles.add();
    this.#net = net;
    this.#family = family;
  }

  /** Which local address a connection has is the system's to choose. */
  startBind(_network: Network, _localAddress: IpSocketAddress): void {
    throw 'access-denied';
  }

  finishBind(): void {
    throw 'not-in-progress';
  }

  startConnect(_network: Network, remoteAddress: IpSocketAddress): void {
    if (this.#state === 'connecting') throw 'concurrency-conflict';
    if (this.#state !== 'new') throw 'invalid-state';
    const target = fromIpSocketAddress(remoteAddress);
    if (remoteAddress.tag !== this.#family || !isUnicast(target)) throw 'invalid-argument';
    this.#channel = withGuestCode(() => this.#net.open('net.connect', target));
    this.#state = 'connecting';
  }

  finishConnect(): [InputStream, OutputStream] {
    const channel = this.#channel;
    if (this.#state !== 'connecting' || !channel) throw 'not-in-progress';
    if (!channel.has(SETTLED)) throw 'would-block';
    this.#state = 'closed';
    this.#ends = withGuestCode(() => this.#net.request('net.connected', channel.number));
    this.#state = 'connected';
    this.#sendKeepAlive();
    return [this.#inputOf(channel), new OutputStream(this.#net.scope, channel.output('network'))];
  }

  startListen(): void {
    throw 'access-denied';
  }

  finishListen(): void {
    throw 'not-in-progress';
  }

  accept(): [TcpSocket, InputStream, OutputStream] {
    throw 'invalid-state';
  }

  localAddress(): IpSocketAddress {
    return toIpSocketAddress(this.#connectedEnds().local);
  }

  remoteAddress(): IpSocketAddress {
    return toIpSocketAddress(this.#connectedEnds().remote);
  }

  isListening(): boolean {
    return false;
  }

  addressFamily(): IpAddressFamily {
    return this.#family;
  }

  setListenBacklogSize(value: bigint): void {
    if (value === 0n) throw 'invalid-argument';
    if (this.#state !== 'new') throw 'invalid-state';
  }

  override setKeepAliveEnabled(value: boolean): void {
    super.setKeepAliveEnabled(value);
    this.#sendKeepAlive();
  }

  override setKeepAliveIdleTime(value: bigint): void {
    super.setKeepAliveIdleTime(value);
    this.#sendKeepAlive();
  }

  subscribe(): Pollable {
    return new Pollable(this.#net.scope, {
      isReady: () => this.#state !== 'connecting' || (this.#channel?.has(SETTLED) ?? true),
    });
  }

  shutdown(type: 'receive' | 'send' | 'both'): void {
    if (this.#state !== 'connected') throw 'invalid-state';
    if (type !== 'send') this.#isInputShut = true;
    if (type !== 'receive') this.#channel?.finish();
  }

  [Symbol.dispose](): void {
    if (this.#state !== 'closed' || this.#channel) this.#net.scope.handles.remove();
    this.#state = 'closed';
    this.#channel?.release();
    this.#channel = undefined;
  }

  #inputOf(channel: Channel): InputStream {
    const source = channel.input('network');
    return new InputStream(this.#net.scope, {
      ...source,
      isReady: () => this.#isInputShut || source.isReady(),
      read: (maxBytes) => (this.#isInputShut ? undefined : source.read(maxBytes)),
    });
  }

  #connectedEnds(): ConnectedEnds {
    if (this.#state !== 'connected' || !this.#ends) throw 'invalid-state';
    return this.#ends;
  }

  #sendKeepAlive(): void {
    if (this.#state !== 'connected' || !this.#channel) return;
    const idleMs = Math.ceil(Number(this.keepAliveIdleTime()) / 1e6);
    const isEnabled = this.keepAliveEnabled();
    this.#net.request('net.keep-alive', { channel: this.#channel.number, isEnabled, idleMs });
  }
}

/** A single host's address and a port, and no IPv4 address in the disguise of an IPv6 one. */
function isUnicast({ address, port }: ConnectTarget): boolean {
  const ip = ipAddressOf(address);
  return port !== 0 && ip.bytes.length === address.length && addressKind(ip) !== 'unusable';
}
