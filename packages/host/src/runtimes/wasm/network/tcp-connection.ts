import type { Socket } from 'node:net';
import type { Host } from '../../../permissions/host-policy.ts';
import { parseIpAddress } from '../../../permissions/ip-address.ts';
import type { Channel, ChannelFlags } from './channel-table.ts';
import { IncomingFlow } from './incoming-flow.ts';
import { type ConnectedEnds, type KeepAlive, SETTLED } from './net-messages.ts';
import { socketRefusal, socketRefusalOf } from './network-error.ts';
import type { NetworkLimits } from './network-limits.ts';
import { type ConnectionContext, openConnection } from './open-connection.ts';
import { OutgoingFlow } from './outgoing-flow.ts';

export interface TcpConnectionOptions {
  /** An address that the policy allows. */
  readonly target: { readonly host: Host; readonly port: number };
  readonly context: ConnectionContext;
  readonly limits: NetworkLimits;
  readonly flags: ChannelFlags;
}

/** One outgoing TCP connection of a guest. */
export class TcpConnection implements Channel {
  readonly #options: TcpConnectionOptions;
  readonly #abort = new AbortController();
  #socket: Socket | undefined;
  #incoming: IncomingFlow | undefined;
  #outgoing: OutgoingFlow | undefined;
  #failure: Error | undefined;

  constructor(options: TcpConnectionOptions) {
    this.#options = options;
    this.#connect().catch((error) => {
      this.#failure = socketRefusalOf(error);
      options.flags.raise(SETTLED);
    });
  }

  /** Both ends. @throws LinkRefusal with a SocketErrorCode. */
  ends(): ConnectedEnds {
    if (!this.#socket) throw this.#failure ?? socketRefusal('unknown');
    const { localAddress, localPort, remoteAddress, remotePort } = this.#socket;
    return { local: endOf(localAddress, localPort), remote: endOf(remoteAddress, remotePort) };
  }

  keepAlive({ isEnabled, idleMs }: KeepAlive): void {
    this.#socket?.setKeepAlive(isEnabled, idleMs);
  }

  read(maxBytes: number): Uint8Array | null {
    return this.#incoming ? this.#incoming.read(maxBytes) : new Uint8Array();
  }

  write(bytes: Uint8Array): void {
    this.#outgoing?.write(bytes);
  }

  finish(): void {
    this.#outgoing?.finish();
  }

  explainWriteEnd(): void {
    this.#outgoing?.explainEnd();
  }

  destroy(): void {
    this.#abort.abort();
    this.#socket?.destroy();
  }

  async #connect(): Promise<void> {
    const { target, limits, context, flags } = this.#options;
    const { signal: abortSignal } = this.#abort;
    const wanted = { ...target, isTls: false, timeoutMs: limits.connectMs, abortSignal };
    const stream = await openConnection(wanted, context);
    this.#socket = stream;
    if (abortSignal.aborted) stream.destroy();
    const errorOf = (error: Error | undefined) =>
      error ? socketRefusalOf(error) : socketRefusal('connection-aborted');
    this.#incoming = new IncomingFlow({ stream, flags, errorOf });
    this.#outgoing = new OutgoingFlow({ stream, flags, errorOf });
    flags.raise(SETTLED);
  }
}

function endOf(address: string | undefined, port: number | undefined) {
  const parsed = address === undefined ? undefined : parseIpAddress(address);
  if (!parsed || port === undefined) throw socketRefusal('connection-aborted');
  return { address: parsed.bytes, port };
}
