import { serveMcpStdio } from '@toolpost/host';
import type { CommonOptions } from '../common-options.ts';
import { openMessageOutput } from '../message-output.ts';
import { cancellable } from '../on-signals.ts';
import { warn, withHost } from '../open-host.ts';

export interface McpOptions extends CommonOptions {
  readonly http?: number;
}

/** `toolpost mcp`: until the input ends, the client is gone, or a signal. */
export async function mcp(options: McpOptions): Promise<number> {
  return cancellable((abortSignal) =>
    withHost(options, async (host, session) => {
      const output = openMessageOutput();
      const gone = new AbortController();
      output.on('error', () => gone.abort());
      await serveMcpStdio({
        ...{ host, session, output },
        input: process.stdin,
        timeoutMs: options.timeout,
        abortSignal: AbortSignal.any([abortSignal, gone.signal]),
        onWarning: warn,
      });
      process.stdin.destroy();
      await output.finish();
      return 0;
    }),
  );
}
