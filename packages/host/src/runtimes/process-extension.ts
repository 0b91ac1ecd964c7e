import type { ActivateAnswer, JsonObject } from '@toolpost/protocol';
import type { DiscoveredPlugin, LoadedPlugin, PluginCrash, RuntimeCallContext, RuntimeContext } from './runtime.ts';

/** A plugin's process that has answered `activate`, as one life of it is seen by what extends its words. */
export interface ProcessLink {
  readonly answer: ActivateAnswer;
  write(message: object): void;
  /** How much the process has not read yet, in characters. */
  readonly backlog: number;
  /** Answers a request of the stdio wire in the name of the call that `callOf` finds. */
  answerRequest(message: JsonObject, callOf: (callId: string) => RuntimeCallContext | undefined): void;
}

/** What a process says beside the stdio wire. It hears of each message first. */
export interface ProcessExtension {
  /** Called with the answer to `activate`, before the next message. @throws why the plugin does not start. */
  onActivated(link: ProcessLink): void;
  /** Returns whether the message was one of its own. */
  onMessage(message: JsonObject): boolean;
  /** A line was dropped because it was too long; `head` is its start. Returns whether it was one of its own. */
  onOverlong(reason: string, head: string): boolean;
  /** The process takes no more messages. Called once a life. */
  onEnded(crash: PluginCrash): void;
}

/** Starts a plugin as the stdio runtime does, under an extension of its words. @throws HostError */
export type LoadProcess = (
  plugin: DiscoveredPlugin,
  context: RuntimeContext,
  extension: ProcessExtension,
) => Promise<LoadedPlugin>;
