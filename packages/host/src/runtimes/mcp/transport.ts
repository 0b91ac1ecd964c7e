import type { JsonObject } from '@toolpost/protocol';
import type { RunningProcess, RuntimeContext } from '../runtime.ts';

export interface SendOptions {
  /** Of the HTTP request that carries the message. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gives up the HTTP request, which is how a request of the later era is cancelled. */
  readonly abortSignal?: AbortSignal | undefined;
  /** The stream of this request's own messages ended. */
  readonly onStreamEnd?: (() => void) | undefined;
}

/** Carries messages to one server and back. */
export interface Transport {
  /** Each request has an HTTP stream of its own, which ends when it is given up. */
  readonly hasRequestStreams: boolean;
  /** The process, where there is one. */
  readonly process?: Omit<RunningProcess, 'starts'>;
  /** @throws why the message cannot be sent, at once or later. */
  send(message: JsonObject, options?: SendOptions): Promise<void> | void;
  /** Told once, when the era and the version are known. */
  setProtocolVersion(version: string): void;
  /** Lets it end by itself, then ends it. Resolves when nothing is left of it; never rejects. */
  stop(): Promise<void>;
  /** Ends it at once; `reason` goes to all who wait, behind the plugin's name. */
  kill(reason: string): Promise<void>;
}

/** What a transport is opened with. */
export interface TransportParts {
  readonly context: RuntimeContext;
  readonly handlers: TransportHandlers;
  /** Gives up its opening. */
  readonly abortSignal: AbortSignal;
}

export interface TransportHandlers {
  onMessage(message: JsonObject): void;
  /** The answer to the request of this id was lost, for this reason; without an id nobody knows whose it was. */
  onLost(id: number | undefined, reason: string): void;
  /** It takes no more messages; what was sent before may still be answered. */
  onClosing(): void;
  /** Nothing more will come. Called once. */
  onClosed(error: Error): void;
}
