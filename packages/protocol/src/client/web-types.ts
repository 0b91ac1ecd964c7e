/**
 * What the client needs of `fetch`, in its own words: the types of browsers and of Node both fit, and this package needs
 * neither's.
 */
export interface FetchInit {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortLike | null | undefined;
}

export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  readonly body: BodyLike | null;
}

export interface BodyLike {
  getReader(): BodyReader;
}

export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

export interface AbortLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What a client runs on: `globalThis` of a browser and of Node has all of it. */
export interface ClientEnvironment {
  fetch(url: string, init?: FetchInit): Promise<ResponseLike>;
  setTimeout(listener: () => void, ms: number): unknown;
  clearTimeout(timer: never): void;
}
