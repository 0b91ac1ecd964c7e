import type { ConnectionListener, PluginConnection } from '../serve/plugin-connection.ts';

/** The host's end of a linked connection. */
export interface HostEnd {
  send(line: string): void;
  listen(onLine: (line: string) => void): void;
  /** The host is gone. */
  end(): void;
}

/** Two ends in one process. Lines arrive in order and never within `send`, as over a pipe. */
export function createLinkedConnection(): { pluginEnd: PluginConnection; hostEnd: HostEnd } {
  const toPlugin = createQueue<(listener: ConnectionListener) => void>();
  const toHost = createQueue<string>();
  return {
    pluginEnd: {
      backlog: 0,
      send: (line) => toHost.put(line),
      listen: (listener) => toPlugin.take((deliver) => deliver(listener)),
    },
    hostEnd: {
      send: (line) => toPlugin.put((listener) => listener.onLine(line)),
      listen: (onLine) => toHost.take(onLine),
      end: () => toPlugin.put((listener) => listener.onEnd()),
    },
  };
}

interface Queue<T> {
  put(item: T): void;
  take(receive: (item: T) => void): void;
}

function createQueue<T>(): Queue<T> {
  const waiting: T[] = [];
  let receiver: ((item: T) => void) | undefined;
  const deliver = (): void => {
    for (const item of receiver ? waiting.splice(0) : []) receiver?.(item);
  };
  return {
    put(item) {
      waiting.push(item);
      queueMicrotask(deliver);
    },
    take(receive) {
      receiver = receive;
      queueMicrotask(deliver);
    },
  };
}
