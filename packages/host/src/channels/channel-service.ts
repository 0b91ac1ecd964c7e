import { CHANNEL_METHODS, type JsonObject, messageOf } from '@toolpost/protocol';
import type { ChannelFront } from '../plugin-life/channel-hub.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';
import { answerRequest } from './channel-requests.ts';
import { type ChatParts, checkChannel } from './chat-sessions.ts';
import { ServedChannel } from './served-channel.ts';

/** A reply that was given is known so long to whom sends its message again. */
const KEPT_MS = 7 * 24 * 3_600_000;
const PRUNE_MS = 3_600_000;
/** So often ours are said to be ours, too. */
const CLAIM_MS = 5000;
/** So long replies that were sent may be on their way at the end: what has not arrived is delivered again later. */
const DELIVERY_MS = 1000;
/** A plugin that has not said so long that it has started is told of. */
const SILENCE_MS = 10_000;
const TAKEN = 'another process of this home serves it; its messages are not taken here';

export interface ChannelServiceOptions extends ChatParts {
  /** Shortens the limit of each call, in ms. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds before a message that could not be answered is tried again; 2000 when absent. */
  readonly retryMs?: number | undefined;
  /** How often it is looked whether another process has let go of a channel, in ms; 5000 when absent. */
  readonly claimMs?: number | undefined;
  readonly warn: (message: string) => void;
  /** Called when the plugin of a channel says that it has started, again for each of its lives. */
  readonly onStarted?: ((name: string) => void) | undefined;
}

/** The channels of a host that are served: their messages become turns, and what comes of those goes back. */
export interface ChannelService {
  readonly names: readonly string[];
  /** Resolves when each plugin was tried once. Never rejects. */
  readonly started: Promise<void>;
  /**
   * Takes no more messages. Turns that run go on until the sessions close: their forms are answered, they are cancelled and
   * their replies arrive as before.
   */
  stop(): void;
  /**
   * Resolves when no turn of a channel runs any more and the plugins that were open have ended. What has no reply by then
   * is answered when the host is started again.
   */
  close(): Promise<void>;
}

/** Starts the plugins of all enabled channels and keeps them running; one that does not start is tried again. */
export function createChannelService(options: ChannelServiceOptions): ChannelService {
  const front = new Front(options);
  const served = options.host.serveChannels(front);
  front.restart = served.restart;
  return {
    started: served.started,
    get names() {
      return front.names;
    },
    stop: () => front.stop(),
    async close() {
      front.stop();
      await front.idle();
      // Until they have ended they say what has arrived; only then another process may deliver the rest.
      await served.end();
      front.release();
    },
  };
}

class Front implements ChannelFront {
  readonly #options: ChannelServiceOptions;
  readonly #channels = new Map<string, ServedChannel>();
  readonly #ports = new Set<ChannelPort>();
  readonly #timers: NodeJS.Timeout[];
  /** What was told last of each channel that is not served. */
  readonly #told = new Map<string, string>();
  #isClosing = false;
  restart: (pluginId: string) => void = () => undefined;

  constructor(options: ChannelServiceOptions) {
    this.#options = options;
    this.#prune();
    this.#timers = [
      setInterval(() => this.#prune(), PRUNE_MS).unref(),
      setInterval(() => this.#claimAll(), options.claimMs ?? CLAIM_MS).unref(),
    ];
  }

  get names(): readonly string[] {
    return [...this.#channels.keys()];
  }

  serves(port: ChannelPort): boolean {
    try {
      return this.#claim(port);
    } catch (error) {
      this.#tell(port.name, messageOf(error));
      return false;
    }
  }

  opened(port: ChannelPort): void {
    this.#ports.add(port);
    if (!port.isServing) return;
    this.#channels.get(port.name)?.open(port);
    this.#watchStart(port);
  }

  closed(port: ChannelPort): void {
    this.#ports.delete(port);
    this.#channels.get(port.name)?.close(port);
  }

  answer(port: ChannelPort, method: string, params: JsonObject): unknown {
    if (this.#isClosing && method === CHANNEL_METHODS.sendInbound)
      throw new Error(`${method}: the host is closing; send it again when it is back`);
    const channel = this.#channels.get(port.name);
    if (!channel) throw new Error(`${method}: this process does not serve the channel "${port.name}"`);
    return answerRequest(method, { port, channel, params, parts: this.#options });
  }

  stop(): void {
    this.#isClosing = true;
    for (const channel of this.#channels.values()) channel.stop();
  }

  /** No turn runs any more, and the plugins had time to take the replies. */
  async idle(): Promise<void> {
    const channels = [...this.#channels.values()];
    await Promise.all(channels.map((channel) => channel.idle()));
    await Promise.all(channels.map((channel) => channel.delivered(DELIVERY_MS)));
  }

  release(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const name of this.#channels.keys()) this.#options.store.inbox.releaseChannel(name);
  }

  /**
   * Takes the channel for this process; false while another one serves it.
   * @throws Error when its configuration is wrong.
   */
  #claim(port: ChannelPort): boolean {
    const { name } = port;
    if (this.#channels.has(name)) return true;
    checkChannel(port, this.#options.host);
    if (this.#isClosing) return false;
    if (!this.#options.store.inbox.claimChannel(name)) {
      this.#tell(name, TAKEN);
      return false;
    }
    this.#channels.set(name, new ServedChannel(port, { ...this.#options, isClosing: () => this.#isClosing }));
    this.#told.delete(name);
    return true;
  }

  /** Once for as long as it stays so. */
  #tell(name: string, problem: string): void {
    if (this.#told.get(name) !== problem) this.#options.warn(`channel ${name}: ${problem}`);
    this.#told.set(name, problem);
  }

  #watchStart(port: ChannelPort): void {
    const { warn, onStarted } = this.#options;
    const silence = setTimeout(() => {
      if (this.#ports.has(port))
        warn(`channel ${port.name}: plugin ${port.pluginId} runs, and has not said that it has started`);
    }, SILENCE_MS).unref();
    void port.started.then(() => {
      clearTimeout(silence);
      if (this.#ports.has(port)) onStarted?.(port.name);
    });
  }

  #claimAll(): void {
    for (const name of this.names) this.#keepClaim(name);
    // Its plugin was told that its messages are not taken.
    for (const port of this.#ports)
      if (!port.isServing && !this.#isClosing && this.serves(port)) this.restart(port.pluginId);
  }

  /** A process that stood still for long may have been taken for dead. */
  #keepClaim(name: string): void {
    try {
      if (this.#options.store.inbox.claimChannel(name)) return;
    } catch (error) {
      this.#tell(name, messageOf(error));
      return;
    }
    const channel = this.#channels.get(name);
    this.#channels.delete(name);
    channel?.stop();
    for (const port of [...this.#ports].filter((one) => one.name === name)) {
      channel?.close(port);
      this.restart(port.pluginId);
    }
    this.#tell(name, TAKEN);
  }

  #prune(): void {
    try {
      this.#options.store.inbox.prune(Date.now() - KEPT_MS);
    } catch (error) {
      this.#options.warn(`channels: old messages are kept longer: ${messageOf(error)}`);
    }
  }
}
