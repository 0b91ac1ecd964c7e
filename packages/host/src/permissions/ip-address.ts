/** An IP address by its bytes: 4 or 16. */
export interface IpAddress {
  readonly bytes: readonly number[];
}

/**
 * What an address leads to. `public` is the internet; `loopback` is this machine; `private` is everything that a name
 * server outside must not be able to lead a plugin to: private, link-local (cloud metadata), carrier-grade NAT,
 * unique-local, reserved, documentation and tunnel ranges; `unusable` is no single host: unspecified, multicast,
 * broadcast.
 */
export type AddressKind = 'public' | 'loopback' | 'private' | 'unusable';

type Range = readonly [prefix: string, length: number, kind: AddressKind];

/** From the IANA registries of special-purpose addresses; the first that holds the address counts. */
const IPV4_RANGES: readonly Range[] = [
  // Linux takes 0.0.0.0 for this machine.
  ['0.0.0.0', 8, 'unusable'],
  ['127.0.0.0', 8, 'loopback'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['169.254.0.0', 16, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'private'],
  ['192.0.2.0', 24, 'private'],
  ['192.88.99.0', 24, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'private'],
  ['198.51.100.0', 24, 'private'],
  ['203.0.113.0', 24, 'private'],
  ['224.0.0.0', 4, 'unusable'],
  ['255.255.255.255', 32, 'unusable'],
  ['240.0.0.0', 4, 'private'],
];

const IPV6_RANGES: readonly Range[] = [
  ['::', 128, 'unusable'],
  ['::1', 128, 'loopback'],
  ['ff00::', 8, 'unusable'],
  // Teredo and other protocol assignments, documentation, 6to4: each may stand for an IPv4 address.
  ['2001::', 23, 'private'],
  ['2001:db8::', 32, 'private'],
  ['2002::', 16, 'private'],
  ['3fff::', 20, 'private'],
  ['2000::', 3, 'public'],
  // Unique-local, link-local, site-local, local NAT64 and whatever was never given out.
  ['::', 0, 'private'],
];

const toTable = (ranges: readonly Range[]) =>
  ranges.map(([prefix, length, kind]) => ({ bytes: parseIpAddress(prefix)?.bytes ?? [], length, kind }));
const IPV4_TABLE = toTable(IPV4_RANGES);
const IPV6_TABLE = toTable(IPV6_RANGES);
/** `64:ff9b::/96`: a translator's IPv6 name for the IPv4 address in its last four bytes. */
const NAT64_PREFIX = parseIpAddress('64:ff9b::')?.bytes ?? [];

/** Where a connection to `address` would go. A NAT64 address counts as the IPv4 address in it. */
export function addressKind({ bytes }: IpAddress): AddressKind {
  if (bytes.length === 4) return kindIn(IPV4_TABLE, bytes);
  if (hasPrefix(bytes, NAT64_PREFIX, 96)) return kindIn(IPV4_TABLE, bytes.slice(12));
  return kindIn(IPV6_TABLE, bytes);
}

/**
 * Reads dotted-quad IPv4 and IPv6 without brackets or zone. An IPv4-mapped IPv6 address is the IPv4 address. The other
 * spellings of IPv4 (`127.1`, `0x7f000001`, leading zeros) are no address.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const bytes = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  return bytes && ipAddressOf(bytes);
}

/** The address of 4 or 16 bytes, an IPv4-mapped one as IPv4. */
export function ipAddressOf(bytes: readonly number[]): IpAddress {
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  return { bytes: isMapped && bytes[11] === 0xff ? bytes.slice(12) : bytes };
}

/** One text for each address: `1.2.3.4`, or eight groups of hexadecimal digits. Node connects to both. */
export function formatIpAddress({ bytes }: IpAddress): string {
  if (bytes.length === 4) return bytes.join('.');
  return groupsOf(bytes)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight 16-bit groups of an IPv6 address. */
export function groupsOf(bytes: readonly number[]): number[] {
  return Array.from({ length: 8 }, (_, at) => (bytes[at * 2] ?? 0) * 256 + (bytes[at * 2 + 1] ?? 0));
}

function parseIpv4(text: string): number[] | undefined {
  if (!/^(?:(?:0|[1-9]\d{0,2})(?:\.|$)){4}$/.test(text) || text.endsWith('.')) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, at) => parseGroups(half, at === halves.length - 1));
  if (!head || (halves.length === 2 && !tail)) return undefined;
  if (!tail) return head.length === 16 ? head : undefined;
  const missing = 16 - head.length - tail.length;
  // `::` stands for at least one group.
  return missing >= 2 ? [...head, ...Array<number>(missing).fill(0), ...tail] : undefined;
}

/** The bytes of groups between colons; the last may be written as IPv4. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [at, group] of groups.entries()) {
    const ipv4 = isLast && at === groups.length - 1 ? parseIpv4(group) : undefined;
    if (ipv4) bytes.push(...ipv4);
    else if (/^[\da-f]{1,4}$/i.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes;
}

function kindIn(table: ReturnType<typeof toTable>, bytes: readonly number[]): AddressKind {
  return table.find((range) => hasPrefix(bytes, range.bytes, range.length))?.kind ?? 'public';
}

function hasPrefix(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  for (let at = 0; at * 8 < bits; at++) {
    const mask = bits - at * 8 >= 8 ? 255 : 256 - 2 ** (8 - (bits - at * 8));
    if (((bytes[at] ?? 0) & mask) !== ((prefix[at] ?? 0) & mask)) return false;
  }
  return true;
}
