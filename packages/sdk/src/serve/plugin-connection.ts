/** What a served plugin hears from its host. */
export interface ConnectionListener {
  onLine(line: string): void;
  onOverlongLine(bytes: number, head: string): void;
  /** The host is gone; nothing follows. Called once. */
  onEnd(): void;
}

/** The plugin's side of a connection to a host: lines of JSON both ways. */
export interface PluginConnection {
  /** Sends one message, given without its line end. Keeps the order; never throws, also when the host is gone. */
  send(line: string): void;
  /** How much waits to be taken by the host, in characters. */
  readonly backlog: number;
  /** Starts the delivery. */
  listen(listener: ConnectionListener): void;
}
