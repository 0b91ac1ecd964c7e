import type { BareServer } from './bare-server.ts';
import type { ToolpostProcess } from './toolpost-server.ts';

/** Both run beside this process, which is the client. */
export interface Servers {
  readonly bare: BareServer;
  readonly toolpost: ToolpostProcess;
}
