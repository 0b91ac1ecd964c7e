import type { JsonObject, OutputStream } from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import type { FunctionTool } from './functions/function-tools.ts';
import type { LinkEnd } from './host-link.ts';
import type { GuestAnswer, GuestCall, GuestServices } from './worlds/guest-world.ts';

/** One core module, compiled once for all instances, and what it takes of the caps each time it is instantiated. */
export interface SharedModule {
  readonly module: WebAssembly.Module;
  readonly memoryPages: number;
  readonly tableElements: number;
}

export interface GuestRoot {
  /** A real path. */
  readonly path: string;
  /** Other absolute paths by which the user calls it. */
  readonly spellings?: readonly string[];
  readonly isReadOnly: boolean;
}

/** What an instance's thread is started with. */
export interface WorkerStart {
  readonly link: LinkEnd;
  readonly glue: string;
  /** V8's code for the glue; without it the thread makes some. */
  readonly codeCache: Uint8Array | undefined;
  readonly modules: ReadonlyMap<string, SharedModule>;
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  /** What it exports as plain functions, when it is of no world that is hosted. */
  readonly functions: readonly FunctionTool[];
  readonly memoryPages: number;
  readonly tableElements: number;
  readonly roots: readonly GuestRoot[];
  /** Real paths that stay out of reach wherever they lie. */
  readonly hidden: readonly string[];
  /** What the user's policy lets it see. */
  readonly environment: readonly [name: string, value: string][];
  readonly settings: JsonObject;
  readonly grants: GuestServices['grants'];
}

/** What the thread posts on its link. `ready` or `broken` comes first, then an `answer` to each call. */
export interface WorkerPosts {
  ready: { readonly declarations: readonly unknown[]; readonly codeCache?: Uint8Array | undefined };
  broken: { readonly reason: string };
  answer: CallAnswer;
  log: { readonly message: string; readonly level: LogLevel };
  output: { readonly text: string; readonly stream: OutputStream };
  progress: { readonly progress: number; readonly total?: number; readonly message?: string };
  /** The guest knows that its call was given up. */
  'cancel-heard': undefined;
}

/** `crashed`: the instance is of no use any more. */
export type CallAnswer = GuestAnswer | { readonly kind: 'crashed'; readonly reason: string };

/** What the host pushes: a call, one at a time. */
export const CALL = 'call';

/** Without a session it is of the session of the call before. */
export type CallMessage = Omit<GuestCall, 'session'> & Partial<Pick<GuestCall, 'session'>>;
