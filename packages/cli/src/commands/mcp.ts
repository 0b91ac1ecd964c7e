import { createServerToken, type Host, serveMcpHttp, serveMcpStdio, tokenFile } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';
import type { CommonOptions } from '../common-options.ts';
import { openMessageOutput } from '../message-output.ts';
import { cancellable, untilSignal } from '../on-signals.ts';
import { warn, withHost } from '../open-host.ts';
import { refuseIdentity } from '../refuse-identity.ts';
import { plainText } from '../terminal-text.ts';

export interface McpOptions extends CommonOptions {
  /** The port; standard input and output when absent. */
  readonly http?: number;
}

/** `toolpost mcp`: until the input ends, the client is gone, or a signal. */
export async function mcp(options: McpOptions): Promise<number> {
  return options.http === undefined ? overStdio(options) : overHttp(options, options.http);
}

async function overStdio(options: McpOptions): Promise<number> {
  return cancellable((abortSignal) =>
    withHost(options, async (host, session) => {
      await serveOnPipes({ host, session, abortSignal, timeoutMs: options.timeout });
      return 0;
    }),
  );
}

interface Served {
  readonly host: Host;
  readonly session: Session;
  readonly abortSignal: AbortSignal;
  readonly timeoutMs: number | undefined;
}

async function serveOnPipes({ abortSignal, ...served }: Served): Promise<void> {
  const output = openMessageOutput();
  const gone = new AbortController();
  output.on('error', () => gone.abort());
  const ended = AbortSignal.any([abortSignal, gone.signal]);
  await serveMcpStdio({ ...served, output, input: process.stdin, abortSignal: ended, onWarning: warn });
  process.stdin.destroy();
  await output.finish();
}

async function overHttp(options: McpOptions, port: number): Promise<number> {
  refuseIdentity('mcp --http', options);
  const token = createServerToken(process.env);
  // The host masks it like every secret, wherever it comes from.
  const environment = { ...process.env, TOOLPOST_TOKEN: token };
  return withHost(
    options,
    async (host) => {
      const { channel, timeout: timeoutMs } = options;
      const server = await serveMcpHttp({ host, token, port, channel, timeoutMs, onWarning: warn });
      say(`MCP at ${server.url}`);
      if (!process.env.TOOLPOST_TOKEN) say(`clients send the token in ${tokenFile(host.homeDir, server.port)}`);
      await untilSignal();
      await server.close();
      return 0;
    },
    { environment },
  );
}

function say(text: string): void {
  process.stderr.write(`toolpost: ${plainText(text)}\n`);
}
