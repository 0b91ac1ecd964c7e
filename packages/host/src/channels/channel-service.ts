import type { JsonObject } from '@toolpost/protocol';
import type { ChannelFront } from '../plugin-life/channel-hub.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';
import { answerRequest } from './channel-requests.ts';
import type { ChatParts } from './chat-sessions.ts';
import { ServedChannel } from './served-channel.ts';

/** A reply that was given is known so long to whom sends its message again. */
const KEPT_MS = 7 * 24 * 3_600_000;
const PRUNE_MS = 3_600_000;
/** How often it is looked whether another process has let go of a channel, and ours are said to be ours. */
const CLAIM_MS = 5000;

export interface ChannelServiceOptions extends ChatParts {
  /** Shortens the limit of each call, in ms. */
  readonly timeoutMs?: number | undefined;
  readonly warn: (message: string) => void;
}

/** The channels of a host that are served: their messages become turns, and what comes of those goes back. */
export interface ChannelService {
  readonly names: readonly string[];
  /** Resolves when each plugin was tried once. Never rejects. */
  readonly started: Promise<void>;
  /** Takes no more messages. What was acknowledged is still answered until the sessions close. */
  stop(): void;
  /** Resolves when no turn of a channel runs any more. What has no reply by then is answered when the host is started again. */
  close(): Promise<void>;
}

/** Starts the plugins of all enabled channels and keeps them running; one that does not start is tried again. */
export function createChannelService(options: ChannelServiceOptions): ChannelService {
  const front = new Front(options);
  const { started, end } = options.host.serveChannels(front);
  return {
    started,
    get names() {
      return front.names;
    },
    stop: () => front.stop(),
    async close() {
      front.stop();
      await front.idle();
      end();
      front.release();
    },
  };
}

class Front implements ChannelFront {
  readonly #options: ChannelServiceOptions;
  readonly #channels = new Map<string, ServedChannel>();
  readonly #ports = new Set<ChannelPort>();
  readonly #timers: NodeJS.Timeout[];
  #isClosing = false;

  constructor(options: ChannelServiceOptions) {
    this.#options = options;
    this.#prune();
    this.#timers = [
      setInterval(() => this.#prune(), PRUNE_MS).unref(),
      setInterval(() => this.#claimAll(), CLAIM_MS).unref(),
    ];
  }

  get names(): readonly string[] {
    return [...this.#channels.keys()];
  }

  opened(port: ChannelPort): void {
    this.#ports.add(port);
    if (!this.#claim(port))
      this.#options.warn(
        `channel ${port.name}: another process of this home serves it; its messages are not taken here`,
      );
  }

  closed(port: ChannelPort): void {
    this.#ports.delete(port);
    this.#channels.get(port.name)?.close(port);
  }

  answer(port: ChannelPort, method: string, params: JsonObject): unknown {
    if (this.#isClosing) throw new Error(`${method}: the host is closing; send it again when it is back`);
    const channel = this.#channels.get(port.name);
    if (!channel) throw new Error(`${method}: this process does not serve the channel "${port.name}"`);
    return answerRequest(method, { port, channel, params, parts: this.#options });
  }

  stop(): void {
    this.#isClosing = true;
    for (const channel of this.#channels.values()) channel.stop();
    for (const timer of this.#timers) clearInterval(timer);
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.idle()));
  }

  release(): void {
    for (const name of this.#channels.keys()) this.#options.store.inbox.releaseChannel(name);
  }

  /** Returns false when another process has the channel. A wrong configuration is told, and no message is taken. */
  #claim(port: ChannelPort): boolean {
    const { store, warn } = this.#options;
    if (!store.inbox.claimChannel(port.name)) return false;
    try {
      const parts = { ...this.#options, isClosing: () => this.#isClosing };
      const channel = this.#channels.get(port.name) ?? new ServedChannel(port, parts);
      this.#channels.set(port.name, channel);
      channel.open(port);
    } catch (error) {
      warn(`channel ${port.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return true;
  }

  #claimAll(): void {
    for (const port of this.#ports) {
      if (this.#channels.has(port.name)) this.#options.store.inbox.claimChannel(port.name);
      else this.#claim(port);
    }
  }

  #prune(): void {
    this.#options.store.inbox.prune(Date.now() - KEPT_MS);
  }
}
