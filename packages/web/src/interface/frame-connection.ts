import { messageOf } from '@toolpost/protocol';
import {
  CONNECT,
  type Failure,
  type FrameAction,
  type FromFrame,
  readFromFrame,
  type Scheme,
  type ToFrame,
} from '../frame/messages.ts';
import { isUsed } from './action-gate.ts';
import { createFlood } from './create-flood.ts';
import { guardFocus } from './focus-guard.ts';
import type { FrameEnd } from './frame-ends.ts';
import { createHeartbeat } from './heartbeat.ts';
import { loadLib } from './load-lib.ts';
import type { ShownInterface } from './shown-interface.ts';
import { silentFrames } from './silent-frames.ts';

export type Wanted = Pick<ShownInterface, 'mode' | 'code' | 'isFinal' | 'libs'>;

export interface FrameListener {
  onHeight(height: number): void;
  /** The newest version that was drawn. */
  onShown(): void;
  onFailed(failure: Failure): void;
  onAction(action: FrameAction): void;
  /** It hangs, or went elsewhere: it is of no more use. */
  onEnd(why: FrameEnd): void;
}

export interface FrameConnection {
  show(wanted: Wanted): void;
  /** Makes the frame a page by MCP Apps, for good. */
  openApp(html: string): void;
  setScheme(scheme: Scheme): void;
  endAction(id: number, text: string, isError: boolean): void;
  close(): void;
}

/** Code that takes the focus once is code of a form; one that goes on with it wants what is typed. */
const MAX_THEFTS = 3;
/** What a frame says more than that within a second is left alone: it would keep the page from its own work. */
const MAX_MESSAGES_PER_SECOND = 200;

/** Speaks with one frame, from the moment that its element is in the page. */
export function connectFrame(element: HTMLIFrameElement, isPanel: boolean, listener: FrameListener): FrameConnection {
  let port: MessagePort | undefined;
  let isReady = false;
  let isClosed = false;
  let version = 0;
  let wanted: Wanted | undefined;
  let app: string | undefined;
  let scheme: Scheme | undefined;
  let beats = 0;
  const libs = new Set<string>();
  const mayHear = createFlood(MAX_MESSAGES_PER_SECOND);
  let shownAt = performance.now();
  const heartbeat = createHeartbeat(
    () => post({ type: 'ping', id: ++beats }),
    () => silentFrames.endWith(member),
  );
  const member = {
    isSilent: heartbeat.isMissing,
    lastUsedAt: () => (document.activeElement === element ? performance.now() : shownAt),
    end,
  };
  const leave = silentFrames.join(member);
  let thefts = 0;
  const unguard = guardFocus(element, () => {
    thefts += 1;
    if (thefts > MAX_THEFTS) end('greedy');
  });

  function post(message: ToFrame): void {
    port?.postMessage(message);
  }

  /** It loads once. What loads after that is not what was put there. */
  function onLoad(): void {
    if (port) {
      end('left');
      return;
    }
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => hear(data);
    // It has no origin that could be named; only this page's own file can have loaded, by the policy.
    element.contentWindow?.postMessage(CONNECT, '*', [channel.port2]);
  }

  function hear(data: unknown): void {
    if (isClosed || !mayHear()) return;
    const message = readFromFrame(data);
    if (!message) return;
    heartbeat.answered();
    act(message);
  }

  function act(message: FromFrame): void {
    if (message.type === 'ready') begin();
    else if (message.type === 'height') listener.onHeight(message.height);
    else if (message.type === 'action') takeAction(message);
    else if (message.type === 'shown' && message.version === version) listener.onShown();
    else if (message.type === 'failed' && message.version === version) listener.onFailed(message);
  }

  function takeAction(action: FrameAction): void {
    if (isUsed(element)) listener.onAction(action);
    else post({ type: 'action-end', id: action.id, text: 'an interface acts only when it is used', isError: true });
  }

  function begin(): void {
    if (isReady) return;
    isReady = true;
    heartbeat.start();
    if (scheme !== undefined) post({ type: 'scheme', scheme, isPanel });
    if (app !== undefined) post({ type: 'app', html: app });
    else void showWanted();
  }

  async function showWanted(): Promise<void> {
    if (!isReady || isClosed || !wanted) return;
    const shown = wanted;
    wanted = undefined;
    try {
      await Promise.all(shown.libs.map(sendLib));
    } catch (error) {
      listener.onFailed({ phase: 'compile', message: messageOf(error) });
    }
    // While a library came, more of the code may have come.
    if (wanted) return showWanted();
    version += 1;
    shownAt = performance.now();
    const { mode, code, isFinal } = shown;
    post({ type: 'show', version, mode, code, isFinal });
  }

  async function sendLib(name: string): Promise<void> {
    if (libs.has(name)) return;
    const text = await loadLib(name);
    if (libs.has(name)) return;
    libs.add(name);
    post({ type: 'lib', name, text });
  }

  function end(why: FrameEnd): void {
    if (isClosed) return;
    close();
    listener.onEnd(why);
  }

  function close(): void {
    isClosed = true;
    heartbeat.stop();
    leave();
    unguard();
    element.removeEventListener('load', onLoad);
    port?.close();
  }

  element.addEventListener('load', onLoad);
  return {
    show(shown) {
      wanted = shown;
      void showWanted();
    },
    openApp(html) {
      app = html;
      if (isReady) post({ type: 'app', html });
    },
    setScheme(now) {
      scheme = now;
      if (isReady) post({ type: 'scheme', scheme, isPanel });
    },
    endAction: (id, text, isError) => post({ type: 'action-end', id, text, isError }),
    close,
  };
}
