import type { JsonObject, OutputStream, Session } from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import type { PluginGrants } from '../../../registry/plugin-services.ts';
import type { HostLink } from '../host-link.ts';

/** One call, as the guest's thread gets it. */
export interface GuestCall {
  readonly id: string;
  readonly toolName: string;
  /** JSON text of the validated arguments. */
  readonly input: string;
  readonly session: Session;
}

/** How a call ended in the guest: with a result as `toToolResult` takes it, or with its own error. Traps are thrown. */
export type GuestAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/** What a world may build its imports of. All of it happens in the guest's thread, and blocks it where it has to. */
export interface GuestServices {
  /** To ask the host for what the rest does not offer: `request` blocks. */
  readonly link: HostLink;
  readonly settings: JsonObject;
  /** What the user's `toolPolicy` grants the plugin. */
  readonly grants: Pick<PluginGrants, 'hosts' | 'spawn'>;
  /** The call that runs; undefined while the component is being constructed. */
  readonly currentCall: GuestCall | undefined;
  /** A line for the plugin's log. A flood is cut to its rate. */
  log(message: string, level?: LogLevel): void;
  /** Streams text to the clients of the call that runs; dropped when none does. */
  output(text: string, stream?: OutputStream): void;
  progress(update: { progress: number; total?: number; message?: string }): void;
  /**
   * Runs a command by `sh -c` and waits for its end; what it prints is streamed meanwhile.
   * @throws LinkRefusal when it is denied, or could not be started.
   */
  spawn(request: SpawnRequest): SpawnResult;
}

export interface SpawnRequest {
  readonly command: string;
  /** Inside a root; relative to the first one, which is the default. */
  readonly cwd?: string;
}

export interface SpawnResult {
  /** -1 after a signal. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A shape that a component may have: what it exports as tools, and what it imports beside WASI. */
export interface GuestWorld {
  /** Its guests learn that a call was given up, and get a moment to clean up before they are ended. */
  readonly hearsCancel?: boolean;
  /** `exports` are names of interfaces and functions, without versions. */
  isExportedBy(exports: readonly string[]): boolean;
  /** By interface, in jco's calling convention: values are returned, a `result`'s error is thrown as it is. */
  createImports(services: GuestServices): Record<string, unknown>;
  /** Constructs the tools. @throws what the guest throws, traps too. */
  open(exports: Record<string, unknown>, services: GuestServices): GuestTools;
}

/** The tools of one instance. */
export interface GuestTools {
  /** As `readToolDeclaration` reads them. @throws Error that says what is wrong with one. */
  declare(): readonly unknown[];
  /** One at a time. @throws what the guest throws: a trap, an exit. */
  call(call: GuestCall): GuestAnswer;
}
