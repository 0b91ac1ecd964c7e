import { groupsOf } from '../../../../../permissions/ip-address.ts';
import type { ConnectTarget } from '../../../network/net-messages.ts';

export type IpAddressFamily = 'ipv4' | 'ipv6';

/** `ip-address` of wasi:sockets in jco's form: four bytes, or eight groups of 16 bits. */
export interface IpAddressValue {
  readonly tag: IpAddressFamily;
  readonly val: readonly number[];
}

/** `ip-socket-address` of wasi:sockets in jco's form. */
export interface IpSocketAddress {
  readonly tag: IpAddressFamily;
  readonly val: {
    readonly port: number;
    readonly address: readonly number[];
    readonly flowInfo?: number;
    readonly scopeId?: number;
  };
}

export function toIpAddress(bytes: readonly number[]): IpAddressValue {
  return bytes.length === 4 ? { tag: 'ipv4', val: bytes } : { tag: 'ipv6', val: groupsOf(bytes) };
}

export function toIpSocketAddress({ address: bytes, port }: ConnectTarget): IpSocketAddress {
  const { tag, val: address } = toIpAddress(bytes);
  return { tag, val: tag === 'ipv4' ? { port, address } : { port, address, flowInfo: 0, scopeId: 0 } };
}

export function fromIpSocketAddress({ tag, val: { address, port } }: IpSocketAddress): ConnectTarget {
  return { port, address: tag === 'ipv4' ? address : address.flatMap((group) => [group >> 8, group & 255]) };
}
