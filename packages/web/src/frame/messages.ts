import type { UiCodeMode } from '@toolpost/protocol';

/**
 * What the page and a frame say to one another, over a port that the page hands over when the frame has loaded. What
 * runs in a frame can say anything in its name: the page believes none of it, and reads it here.
 */

export const CONNECT = 'toolpost:connect';

export type FrameMode = UiCodeMode;

export type Scheme = 'light' | 'dark';

/** What a frame is to draw. `version` counts what this frame was given. */
export interface ShowRequest {
  readonly version: number;
  readonly mode: FrameMode;
  readonly code: string;
  /** Whether it is whole; what comes before is drawn as far as it goes. */
  readonly isFinal: boolean;
}

export type ToFrame =
  | { readonly type: 'scheme'; readonly scheme: Scheme; readonly isPanel: boolean }
  | { readonly type: 'lib'; readonly name: string; readonly text: string }
  | ({ readonly type: 'show' } & ShowRequest)
  /** A whole document, which takes the place of the frame's own: a page by MCP Apps. */
  | { readonly type: 'app'; readonly html: string }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'action-end'; readonly id: number; readonly text: string; readonly isError: boolean };

export interface Failure {
  /** When it went wrong: before it ran, while it was drawn, or in what it does later. */
  readonly phase: 'compile' | 'render' | 'event';
  readonly message: string;
  /** In the code, from 1. */
  readonly line?: number;
}

export interface FrameAction {
  readonly id: number;
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type FromFrame =
  | { readonly type: 'ready' }
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'shown'; readonly version: number; readonly compileMs: number }
  | ({ readonly type: 'failed'; readonly version: number } & Failure)
  | ({ readonly type: 'action' } & FrameAction)
  | { readonly type: 'pong'; readonly id: number };

export const MAX_ACTION_CHARS = 128;
export const MAX_DATA_CHARS = 64_000;
const MAX_MESSAGE_CHARS = 2_000;

/** Reads what came from a frame; undefined for what is nothing that the page knows. */
export function readFromFrame(value: unknown): FromFrame | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const message = value as Readonly<Record<string, unknown>>;
  switch (message.type) {
    case 'ready':
      return { type: 'ready' };
    case 'height':
      return isCount(message.height) ? { type: 'height', height: message.height } : undefined;
    case 'pong':
      return isCount(message.id) ? { type: 'pong', id: message.id } : undefined;
    case 'shown':
      return isCount(message.version) && isCount(message.compileMs)
        ? { type: 'shown', version: message.version, compileMs: message.compileMs }
        : undefined;
    case 'failed':
      return readFailed(message);
    case 'action':
      return readAction(message);
    default:
      return undefined;
  }
}

function readFailed({ version, phase, message, line }: Readonly<Record<string, unknown>>): FromFrame | undefined {
  if (!isCount(version) || typeof message !== 'string') return undefined;
  if (phase !== 'compile' && phase !== 'render' && phase !== 'event') return undefined;
  const place = isCount(line) ? { line } : {};
  return { type: 'failed', version, phase, message: message.slice(0, MAX_MESSAGE_CHARS), ...place };
}

function readAction({ id, action, data }: Readonly<Record<string, unknown>>): FromFrame | undefined {
  if (!isCount(id) || typeof action !== 'string' || action === '' || action.length > MAX_ACTION_CHARS) return undefined;
  const plain = plainData(data);
  return plain && { type: 'action', id, action, data: plain };
}

/** What JSON can say of it, as an object without a prototype's ways; undefined for anything else or too much. */
function plainData(data: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = JSON.stringify(data ?? {});
    if (typeof text !== 'string' || text.length > MAX_DATA_CHARS) return undefined;
    const read: unknown = JSON.parse(text, (key, inner: unknown) => (key === '__proto__' ? undefined : inner));
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    // What has circles, or numbers that JSON does not know.
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
