import { domainToASCII } from 'node:url';
import { addressKind, formatIpAddress, type IpAddress, parseIpAddress } from './ip-address.ts';

/** The ports of an entry that names none: those of HTTP and HTTPS. */
const DEFAULT_PORTS: readonly number[] = [80, 443];

/** A host as a guest or a person writes it: a name in its one spelling (lower case, ASCII, no trailing dot), or an address. */
export type Host =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'address'; readonly address: IpAddress };

/** One entry of `toolPolicy.<id>.hosts`. `ports` absent is every port. */
type HostEntry = (Host | { readonly type: 'below'; readonly suffix: string } | { readonly type: 'any' }) & {
  readonly ports?: readonly number[];
};

/**
 * What a plugin may connect to. A connection needs two yeses: one for the host as it is written (`allowsHost`), and,
 * when that is a name, one for the address it led to (`allowsAddress`), which is the address to connect to.
 */
export interface HostPolicy {
  /** Whether the host as it is written is named: a name by its entry, an address by its own, `localhost` or `*`. */
  allowsHost(host: Host, port: number): boolean;
  /** Whether a name may be looked up: it is allowed at some port. */
  allowsLookup(name: string): boolean;
  /**
   * Whether an address that an allowed name led to may be connected to: public ones may. Others only when the address
   * itself is named, or, for this machine's own, `localhost`: who runs a name server must not choose what lies inside.
   * Without a port: at some port.
   */
  allowsAddress(address: IpAddress, port: number | undefined): boolean;
}

/**
 * The policy of a list of entries: `api.example.com:443`, `*.example.org` (every name below it, not itself),
 * `203.0.113.7:5432`, `[2001:db8::1]:443`, `localhost:8080`, or `*` for every public host and port. Without a port an
 * entry stands for 80 and 443.
 * @throws Error that quotes an entry that is none of these.
 */
export function createHostPolicy(hosts: readonly string[]): HostPolicy {
  const entries = hosts.map(parseHostEntry);
  const someAt = (port: number | undefined, matches: (entry: HostEntry) => boolean) =>
    entries.some((entry) => (port === undefined || !entry.ports || entry.ports.includes(port)) && matches(entry));

  const isNamed = (address: IpAddress, port: number | undefined) => {
    const isLoopback = addressKind(address) === 'loopback';
    const text = formatIpAddress(address);
    return someAt(port, (entry) => {
      if (entry.type === 'address') return formatIpAddress(entry.address) === text;
      return isLoopback && entry.type === 'name' && entry.name === 'localhost';
    });
  };
  const isPublic = (address: IpAddress) => addressKind(address) === 'public';
  return {
    allowsHost(host, port) {
      if (host.type === 'name') return someAt(port, (entry) => coversName(entry, host.name));
      return isNamed(host.address, port) || (isPublic(host.address) && someAt(port, (entry) => entry.type === 'any'));
    },
    allowsLookup: (name) => entries.some((entry) => coversName(entry, name)),
    allowsAddress: (address, port) => isPublic(address) || isNamed(address, port),
  };
}

/** @throws Error that says what an entry looks like. */
export function parseHostEntry(text: string): HostEntry {
  const refused = (why: string) => new Error(`${JSON.stringify(text)} is no host: ${why}`);
  if (text === '*') return { type: 'any' };
  const scheme = /^\w+:\/\//.exec(text)?.[0];
  if (scheme !== undefined) throw refused(`write it without ${JSON.stringify(scheme)}`);
  const [host, portText] = splitPort(text);
  const port = portText === undefined ? undefined : parsePort(portText);
  if (portText !== undefined && port === undefined) throw refused('a port is a number from 1 to 65535');
  const ports = port === undefined ? DEFAULT_PORTS : [port];
  if (host === '*') return { type: 'any', ports };
  const parsed = parseHost(host.startsWith('*.') ? host.slice(2) : host);
  if (!parsed)
    throw refused('expected a name or an address, like "api.example.com:443", "*.example.org" or "[::1]:80"');
  if (parsed.type === 'address') {
    if (host.startsWith('*')) throw refused('"*." goes before a name, not an address');
    if (addressKind(parsed.address) === 'unusable') throw refused('this address is no single host');
    return { ...parsed, ports };
  }
  return host.startsWith('*.') ? { type: 'below', suffix: `.${parsed.name}`, ports } : { ...parsed, ports };
}

/** Reads a host without a port: a name, an IPv4 address, or an IPv6 address with or without brackets. */
export function parseHost(text: string): Host | undefined {
  const isBracketed = text.startsWith('[') && text.endsWith(']');
  const bare = isBracketed ? text.slice(1, -1) : text;
  if (isBracketed && !bare.includes(':')) return undefined;
  const address = parseIpAddress(bare);
  if (address) return { type: 'address', address };
  const name = isBracketed ? undefined : parseHostName(text);
  return name === undefined ? undefined : { type: 'name', name };
}

/** Splits `host:port`; an IPv6 address with a port has brackets. The parts are not looked at. */
export function splitPort(text: string): [host: string, port: string | undefined] {
  const isBareIpv6 = !text.startsWith('[') && text.indexOf(':') !== text.lastIndexOf(':');
  const at = isBareIpv6 ? -1 : text.indexOf(':', text.lastIndexOf(']') + 1);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** 1 to 65535, in digits without leading zeros. */
export function parsePort(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

/** `host:port` as an entry of `toolPolicy` and as an HTTP authority writes it; `PORT` stands for one that is not known. */
export function formatHostPort(host: Host, port: number | 'PORT'): string {
  if (host.type === 'name') return `${host.name}:${port}`;
  const text = formatIpAddress(host.address);
  return host.address.bytes.length === 4 ? `${text}:${port}` : `[${text}]:${port}`;
}

function coversName(entry: HostEntry, name: string): boolean {
  if (entry.type === 'name') return entry.name === name;
  if (entry.type === 'below') return name.endsWith(entry.suffix) && name.length > entry.suffix.length;
  return entry.type === 'any';
}

/** The one spelling of a name that resolvers, certificates and entries share; undefined for what is no name. */
function parseHostName(text: string): string | undefined {
  // domainToASCII reads a URL's host: it would take `a/b` for `a` and undo `%41`.
  if (/[\0-,/:-@[-^`{-\x7f]/.test(text)) return undefined;
  const ascii = (/[^\0-\x7f]/.test(text) ? domainToASCII(text) : text.toLowerCase()).replace(/\.$/, '');
  const labels = ascii.split('.');
  const areLabels = labels.every((label) => /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/.test(label));
  // A last label of digits is a way to write an IPv4 address: `2130706433`, `127.1`, `0x7f.1`.
  const isNumber = /^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '');
  return ascii.length <= 253 && areLabels && !isNumber ? ascii : undefined;
}
