import net from 'node:net';
import tls from 'node:tls';
import { formatHostPort, type Host, type HostPolicy } from '../../../permissions/host-policy.ts';
import { addressKind, formatIpAddress, type IpAddress, parseIpAddress } from '../../../permissions/ip-address.ts';
import type { DenialLog } from './denial-log.ts';
import type { LookUp } from './look-up-name.ts';
import { ConnectError } from './network-error.ts';

/** Addresses of one name that are tried; each gets its part of the time, so that one that is silent does not take all. */
const MAX_TRIED = 4;

/** What connections are made with. */
export interface ConnectionContext {
  readonly policy: HostPolicy;
  readonly lookUp: LookUp;
  readonly denials: DenialLog;
  /** Certificate authorities in place of Node's. */
  readonly certificateAuthorities?: string;
}

export interface ConnectionTarget {
  /** Allowed at `port` already, as it is written. */
  readonly host: Host;
  readonly port: number;
  readonly isTls: boolean;
  readonly timeoutMs: number;
  readonly abortSignal: AbortSignal;
}

/**
 * Connects to a host that the policy allows. A name is looked up here, once, and of the addresses it led to only those
 * are tried that the policy allows too: nothing asks a name server again between the check and the connection.
 * @throws ConnectError, or the system's error of the last address.
 */
export async function openConnection(target: ConnectionTarget, context: ConnectionContext): Promise<net.Socket> {
  const deadline = AbortSignal.timeout(target.timeoutMs);
  const abortSignal = AbortSignal.any([target.abortSignal, deadline]);
  try {
    const addresses = await whileWaiting(addressesOf(target, context), abortSignal);
    const socket = await connectToFirst(addresses.slice(0, MAX_TRIED), target, abortSignal);
    return target.isTls ? await secure(socket, target, { context, abortSignal }) : socket;
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new ConnectError('timeout', `no connection within ${target.timeoutMs} ms`);
  }
}

/** The addresses of a name that a policy allows at `port`. @throws ConnectError when there are none. */
export function allowedAddresses(
  host: { name: string; port: number | undefined; texts: readonly string[] },
  { policy, denials }: ConnectionContext,
): IpAddress[] {
  const { name, port, texts } = host;
  const found = texts.flatMap((text) => parseIpAddress(text) ?? []);
  if (found.length === 0) throw new ConnectError('not-found', `${name} has no address`);
  const allowed = found.filter((address) => policy.allowsAddress(address, port));
  if (allowed.length > 0) return allowed;
  const [address] = found;
  if (address) {
    const isUsable = addressKind(address) !== 'unusable';
    const entry = isUsable ? formatHostPort({ type: 'address', address }, port ?? 'PORT') : undefined;
    denials.denied(`a connection to ${name}`, entry, `it leads to ${formatIpAddress(address)}, which is not public`);
  }
  throw new ConnectError('ip-prohibited', `${name} leads to an address that is not public`);
}

async function addressesOf({ host, port }: ConnectionTarget, context: ConnectionContext): Promise<IpAddress[]> {
  if (host.type === 'address') return [host.address];
  return allowedAddresses({ name: host.name, port, texts: await context.lookUp(host.name) }, context);
}

async function connectToFirst(
  addresses: readonly IpAddress[],
  { port, timeoutMs }: ConnectionTarget,
  signal: AbortSignal,
): Promise<net.Socket> {
  let lastError: unknown;
  for (const address of addresses) {
    try {
      const share = AbortSignal.timeout(timeoutMs / addresses.length);
      return await connectTo(address, port, AbortSignal.any([signal, share]));
    } catch (error) {
      lastError = error;
      if (signal.aborted) break;
    }
  }
  throw lastError;
}

function connectTo(address: IpAddress, port: number, signal: AbortSignal): Promise<net.Socket> {
  const family = address.bytes.length === 4 ? 4 : 6;
  // An address as a text is never looked up.
  const socket = net.connect({ host: formatIpAddress(address), port, family, allowHalfOpen: true, noDelay: true });
  return whenReady(socket, 'connect', signal);
}

function secure(
  socket: net.Socket,
  { host }: ConnectionTarget,
  { context, abortSignal }: { context: ConnectionContext; abortSignal: AbortSignal },
): Promise<net.Socket> {
  const secured = tls.connect({
    socket,
    // The certificate is checked against the host as it was named; an address may not be sent as a server's name.
    ...(host.type === 'name' ? { servername: host.name } : { host: formatIpAddress(host.address), servername: '' }),
    ALPNProtocols: ['http/1.1'],
    // Said, so that no variable of the environment turns it off.
    rejectUnauthorized: true,
    ...(context.certificateAuthorities === undefined ? {} : { ca: context.certificateAuthorities }),
  });
  return whenReady(secured, 'secureConnect', abortSignal);
}

/** The socket, once it is ready. Destroyed when it fails or is aborted before that. */
function whenReady<Socket extends net.Socket>(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  const ready = Promise.withResolvers<Socket>();
  const stop = () => socket.destroy(new ConnectError('timeout', 'the connection was given up'));
  const fail = (error: Error) => ready.reject(error);
  socket.unref();
  socket.once('error', fail);
  socket.once('close', () => fail(new Error('the connection closed')));
  socket.once(event, () => {
    socket.off('error', fail);
    // Whoever gets it hears of errors from the next turn on; one in between must not end the host.
    socket.on('error', () => undefined);
    ready.resolve(socket);
  });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  return ready.promise.finally(() => signal.removeEventListener('abort', stop));
}

/** The promise, unless the signal comes first. What it gives afterwards is nobody's. */
function whileWaiting<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  return Promise.race([promise, stopped]).finally(() => signal.removeEventListener('abort', stop));
}
