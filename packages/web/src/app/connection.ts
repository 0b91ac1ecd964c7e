import { type ApiClient, ApiError } from '@toolpost/protocol';
import { createContext, useContext } from 'react';

/** An `error` stays until it was read, an `info` goes by itself. */
export type NoticeTone = 'info' | 'error' | 'spoken';

export interface Connection {
  readonly client: ApiClient;
  /** Says a sentence to whoever looks at the page; `spoken`, to whoever listens to it alone. */
  readonly say: (text: string, tone?: NoticeTone) => void;
  /** Runs a request and tells why it failed; undefined then. */
  readonly attempt: <T>(request: Promise<T>) => Promise<T | undefined>;
}

export const ConnectionContext = createContext<Connection | undefined>(undefined);

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error('nothing is connected here');
  return connection;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
