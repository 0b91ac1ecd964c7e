import { HostError } from '@toolpost/protocol';
import { RPC_CODES, RpcError } from './rpc-error.ts';

/** The requests of one client that are not answered yet, by their ids. */
export interface RunningRequests {
  readonly size: number;
  /** @throws RpcError for an id that is in use, or when there are too many. */
  begin(idKey: string): AbortController;
  end(idKey: string): void;
  cancel(idKey: string): void;
  cancelAll(): void;
  /** Resolves when none is left, or so many ms have passed. */
  settledWithin(ms: number): Promise<void>;
}

const MAX_RUNNING = 10_000;

export function createRunningRequests(): RunningRequests {
  const running = new Map<string, AbortController>();
  const onEmpty: (() => void)[] = [];
  return {
    get size() {
      return running.size;
    },
    begin(idKey) {
      if (running.has(idKey))
        throw new RpcError(RPC_CODES.invalidRequest, 'a request with this id is not answered yet: give each its own');
      if (running.size >= MAX_RUNNING)
        throw new RpcError(RPC_CODES.internal, `${MAX_RUNNING} requests are not answered yet: wait for some of them`);
      const controller = new AbortController();
      running.set(idKey, controller);
      return controller;
    },
    end(idKey) {
      running.delete(idKey);
      if (running.size > 0) return;
      for (const listener of onEmpty.splice(0)) listener();
    },
    cancel: (idKey) => running.get(idKey)?.abort(),
    cancelAll() {
      for (const controller of running.values()) controller.abort();
    },
    settledWithin(ms) {
      if (running.size === 0) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      onEmpty.push(resolve);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

/** Whatever a handler threw, as the error of its request; `onBug` hears of what nobody meant to throw. */
export function toRpcError(error: unknown, onBug: (error: unknown) => void): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof HostError) return new RpcError(RPC_CODES.internal, error.message);
  onBug(error);
  return new RpcError(RPC_CODES.internal, 'the server failed at this request: its log says more');
}
