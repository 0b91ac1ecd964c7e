import { createHash } from 'node:crypto';
import type { JsonObject } from '@toolpost/protocol';
import type { ChannelHost, ChannelPort } from '../runtimes/runtime.ts';
import type { Settings } from '../settings/settings-schema.ts';

/** Who takes the messages of a host's channels. */
export interface ChannelFront {
  /** Whether the front takes the messages of this life, which is about to be opened. */
  serves(port: ChannelPort): boolean;
  opened(port: ChannelPort): void;
  closed(port: ChannelPort): void;
  /** @throws Error with the text for the plugin. */
  answer(port: ChannelPort, method: string, params: JsonObject): unknown;
}

/** The channels of one host: what the user configured, which are open, and where their messages go. */
export interface ChannelHub extends ChannelHost {
  /** Whether messages are taken here, as `toolpost serve` does. */
  readonly isServing: boolean;
  readonly ports: ReadonlySet<ChannelPort>;
  /** Those that the user has enabled. */
  readonly enabledNames: readonly string[];
  /** The user's configuration as it stands in its file; undefined for a channel that is not enabled. */
  givenFor(name: string): JsonObject | undefined;
  /** Takes the place of the user's configuration once what that names was read. */
  setConfig(name: string, config: JsonObject): void;
  /** Changes with the user's configuration of a channel; undefined for one that is not enabled. */
  configKeyOf(name: string): string | undefined;
  /** From now on messages go to the front; undefined: to nobody. */
  setFront(front: ChannelFront | undefined): void;
}

const NOT_SERVING = 'messages are taken by `toolpost serve`, and this is another command';

/** `declared`: the plugins whose manifests name their channel, which nobody else may take. */
export function createChannelHub(
  channels: Settings['channels'],
  declared: readonly { id: string; channel: string }[],
): ChannelHub {
  const owners = new Map<string, string>();
  const ports = new Set<ChannelPort>();
  let front: ChannelFront | undefined;

  const read = new Map<string, JsonObject>();
  const givenFor = (name: string): JsonObject | undefined => {
    const config = Object.hasOwn(channels, name) ? channels[name] : undefined;
    return config?.enabled === true || config?.enabled === 'true' ? config : undefined;
  };

  return {
    ports,
    get enabledNames() {
      return Object.keys(channels).filter((name) => givenFor(name) !== undefined);
    },
    givenFor,
    configOf: (name) => read.get(name) ?? givenFor(name),
    setConfig: (name, config) => void read.set(name, config),
    configKeyOf(name) {
      const config = givenFor(name);
      return config && createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 16);
    },
    get isServing() {
      return front !== undefined;
    },
    serves: (port) => front?.serves(port) ?? false,
    setFront(next) {
      front = next;
    },
    claim(name, pluginId) {
      const folded = name.toLowerCase();
      const first = declared.find(({ channel }) => channel.toLowerCase() === folded)?.id;
      const owner = owners.get(folded) ?? first ?? pluginId;
      if (owner !== pluginId)
        throw new Error(`plugin ${pluginId}: the channel "${name}" is plugin ${owner}'s: disable one of the two`);
      owners.set(folded, pluginId);
    },
    release(name, pluginId) {
      if (owners.get(name.toLowerCase()) === pluginId) owners.delete(name.toLowerCase());
    },
    opened(port) {
      ports.add(port);
      front?.opened(port);
    },
    closed(port) {
      ports.delete(port);
      front?.closed(port);
    },
    answer(port, method, params) {
      if (!front) throw new Error(`${method}: ${NOT_SERVING}`);
      return front.answer(port, method, params);
    },
  };
}
