import {
  createServerToken,
  openChannels,
  openLiveSessions,
  openMcpMount,
  openSessionStore,
  serve as serveHost,
  type ToolpostServer,
  tokenFile,
} from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { untilSignal } from '../on-signals.ts';
import { warn, withHost } from '../open-host.ts';
import { refuseIdentity } from '../refuse-identity.ts';
import { plainText } from '../terminal-text.ts';

export interface ServeOptions extends CommonOptions {
  readonly port: number;
  /** Milliseconds. */
  readonly grace: number;
}

/** `toolpost serve`: until a signal, which lets turns finish for a while. A second one leaves at once. */
export async function serve(options: ServeOptions): Promise<number> {
  refuseIdentity('serve', options);
  const token = createServerToken(process.env);
  // The host masks it like every secret, wherever it comes from.
  const environment = { ...process.env, TOOLPOST_TOKEN: token };
  const store = await openSessionStore(environment);
  try {
    return await withHost(
      options,
      async (host) => {
        const sessions = await openLiveSessions({ host, store, environment });
        const { port, timeout: timeoutMs } = options;
        const mounts = { '/mcp': await openMcpMount({ host, timeoutMs, onWarning: warn }) };
        const server = await serveHost({ host, store, sessions, token, port, timeoutMs, mounts, onWarning: warn });
        tell(server, host.homeDir);
        const onStarted = (name: string) => say(`serving the channel ${name}`);
        const channels = await openChannels({ host, store, sessions, timeoutMs, warn, onStarted });
        await untilSignal();
        channels.stop();
        if (sessions.openTurns > 0) say(`finishing ${sessions.openTurns} turns; a second signal leaves at once`);
        await server.close({ graceMs: options.grace });
        await channels.close();
        return 0;
      },
      { environment },
    );
  } finally {
    store.close();
  }
}

function tell(server: ToolpostServer, homeDir: string): void {
  say(`listening on ${server.url}`);
  say(`MCP at ${server.url}/mcp`);
  say(`open ${server.createLink()} (works once)`);
  if (!process.env.TOOLPOST_TOKEN) say(`the token of the API is in ${tokenFile(homeDir, server.port)}`);
}

function say(text: string): void {
  process.stderr.write(`toolpost: ${plainText(text)}\n`);
}
