import {
  createHostPolicy,
  formatHostPort,
  type Host,
  parseHost,
  parsePort,
  splitPort,
} from '../../../permissions/host-policy.ts';
import { ipAddressOf } from '../../../permissions/ip-address.ts';
import type { InstanceService } from '../instance-service.ts';
import { type ChannelFlags, createChannelTable } from './channel-table.ts';
import { createDenialLog } from './denial-log.ts';
import { HttpExchange } from './http-exchange.ts';
import { createKnownAddresses } from './known-addresses.ts';
import { limitLookUps } from './limit-look-ups.ts';
import { type LookUp, lookUpName } from './look-up-name.ts';
import { NameLookup } from './name-lookup.ts';
import type { ConnectTarget, NetRequests, RequestHead } from './net-messages.ts';
import { httpRefusal, socketRefusal } from './network-error.ts';
import { NETWORK_LIMITS, type NetworkLimits } from './network-limits.ts';
import type { ConnectionContext } from './open-connection.ts';
import { TcpConnection } from './tcp-connection.ts';

export interface NetworkOptions {
  readonly pluginId: string;
  /** The plugin's `toolPolicy.<id>.hosts` together with those of `*`. @see createHostPolicy */
  readonly hosts: readonly string[];
  /** The plugin's log: told once about each thing that is denied, with the entry that would allow it. */
  readonly log: (message: string) => void;
  readonly limits?: Partial<NetworkLimits>;
  readonly lookUp?: LookUp;
  /** Certificate authorities (PEM) in place of Node's. */
  readonly certificateAuthorities?: string;
}

/**
 * Does a guest's networking: outgoing HTTP and TCP to the hosts that are allowed, nothing else. Variables that name a
 * proxy are not read: behind a proxy, nobody here sees which address is connected to.
 * Closed, it ends every connection, request and lookup at once.
 * @throws Error that quotes an entry of `hosts` that is none.
 */
export function createNetwork(options: NetworkOptions): InstanceService {
  const policy = createHostPolicy(options.hosts);
  const denials = createDenialLog(options.pluginId, options.log);
  const limits = { ...NETWORK_LIMITS, ...options.limits };
  const lookUp = limitLookUps(options.lookUp ?? lookUpName, limits.channels);
  const { certificateAuthorities } = options;
  const context = {
    policy,
    denials,
    lookUp,
    ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
  };
  const channels = createChannelTable<HttpExchange | NameLookup | TcpConnection>(limits.channels);
  const known = createKnownAddresses(limits.knownAddresses);

  function add(open: (flags: ChannelFlags) => HttpExchange | NameLookup | TcpConnection, full: () => Error): number {
    const number = channels.add(open);
    if (number !== undefined) return number;
    options.log(`the network takes ${limits.channels} connections, requests and lookups of one instance at once`);
    throw full();
  }

  const exchange = (number: number) => expectKind(channels.get(number), HttpExchange);
  const connection = (number: number) => expectKind(channels.get(number), TcpConnection);
  /** What has bytes: a connection or a request. */
  const flow = (number: number) => {
    const channel = channels.get(number);
    return channel instanceof HttpExchange ? channel : expectKind(channel, TcpConnection);
  };

  const handlers: NetRequests = {
    'net.open'({ wake }) {
      channels.wakeBy(wake);
      return channels.flags;
    },
    'net.http'(head) {
      const target = httpTarget(head, context);
      return add(
        (flags) => new HttpExchange({ head, target, context, limits, flags }),
        () => httpRefusal({ tag: 'connection-limit-reached' }),
      );
    },
    'net.response': (number) => exchange(number).response(),
    'net.trailers': (number) => exchange(number).trailers(),
    'net.drain': (number) => exchange(number).drain(),
    'net.lookup'(text) {
      const name = lookupName(text, context);
      const onAddress = (address: readonly number[]) => known.add(address, name);
      return add((flags) => new NameLookup({ name, context, limits, flags, onAddress }), socketLimit);
    },
    'net.addresses': (number) => expectKind(channels.get(number), NameLookup).addresses(),
    'net.connect'({ address, port }) {
      const target = tcpTarget({ address, port }, { context, names: known.namesOf(address) });
      return add((flags) => new TcpConnection({ target, context, limits, flags }), socketLimit);
    },
    'net.connected': (number) => connection(number).ends(),
    'net.keep-alive': ({ channel, ...keepAlive }) => connection(channel).keepAlive(keepAlive),
    'net.read': ({ channel, maxBytes }) => flow(channel).read(maxBytes),
    'net.write': ({ channel, bytes }) => flow(channel).write(bytes),
    'net.write-end': (number) => flow(number).explainWriteEnd(),
    'net.finish': ({ channel, trailers }) => flow(channel).finish(trailers),
    'net.close': (number) => channels.close(number),
  };
  // The only sender is our own code in the worker, of the very types of NetRequests; a guest does not reach the link.
  return { handlers: handlers as unknown as InstanceService['handlers'], close: async () => channels.closeAll() };
}

const socketLimit = () => socketRefusal('new-socket-limit');

function expectKind<T>(channel: unknown, kind: new (...args: never[]) => T): T {
  if (channel instanceof kind) return channel;
  throw new Error('the network has no such channel');
}

/** The host and port of a request. @throws LinkRefusal when they are not allowed. */
function httpTarget({ authority, isTls, method }: RequestHead, { policy, denials }: ConnectionContext) {
  const [hostText, portText] = splitPort(authority);
  const host = parseHost(hostText);
  const port = portText === undefined ? (isTls ? 443 : 80) : parsePort(portText);
  if (!host || port === undefined) throw httpRefusal({ tag: 'HTTP-request-URI-invalid' });
  // A tunnel would lead past every check.
  if (method.toUpperCase() === 'CONNECT') throw httpRefusal({ tag: 'HTTP-request-method-invalid' });
  if (policy.allowsHost(host, port)) return { host, port };
  denials.denied(`a request to ${formatHostPort(host, port)}`, formatHostPort(host, port));
  throw httpRefusal({ tag: 'HTTP-request-denied' });
}

/** The name of a lookup. @throws LinkRefusal when it is not allowed. */
function lookupName(text: string, { policy, denials }: ConnectionContext): string {
  const host = parseHost(text);
  if (host?.type !== 'name') throw socketRefusal('invalid-argument');
  if (policy.allowsLookup(host.name)) return host.name;
  denials.denied(`a lookup of ${host.name}`, formatHostPort(host, 'PORT'));
  throw socketRefusal('access-denied');
}

/**
 * A TCP connection names an address only. It is allowed when the address is named itself, or when it came out of a
 * lookup of a name that is allowed at this port.
 */
function tcpTarget(
  { address, port }: ConnectTarget,
  { context: { policy, denials }, names }: { context: ConnectionContext; names: readonly string[] },
): { host: Host; port: number } {
  const host: Host = { type: 'address', address: ipAddressOf(address) };
  if (policy.allowsHost(host, port)) return { host, port };
  const isOfName = names.some((name) => policy.allowsHost({ type: 'name', name }, port));
  if (isOfName && policy.allowsAddress(host.address, port)) return { host, port };
  const [name] = names;
  const entry = formatHostPort(name !== undefined && !isOfName ? { type: 'name', name } : host, port);
  denials.denied(`a connection to ${formatHostPort(host, port)}`, entry);
  throw socketRefusal('access-denied');
}
