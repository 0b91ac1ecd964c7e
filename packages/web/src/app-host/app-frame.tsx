import type { AppPage, CallRecord, JsonObject } from '@toolpost/protocol';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { createActionGate, isUsed } from '../interface/action-gate.ts';
import { connectFrame } from '../interface/frame-connection.ts';
import type { FrameEnd } from '../interface/frame-ends.ts';
import { SandboxedFrame } from '../interface/sandboxed-frame.tsx';
import { useScheme } from '../interface/use-scheme.ts';
import { type AppSession, hostApp } from './app-session.ts';

const [FIRST_HEIGHT, MIN_HEIGHT, MAX_HEIGHT] = [240, 40, 2400];

interface AppFrameProps {
  readonly page: AppPage;
  readonly record: CallRecord;
  readonly sessionId: string;
  readonly title: string;
  /** Asks the reader; resolves with what was answered. */
  readonly onLink: (url: string) => Promise<boolean>;
  readonly onEnd: (why: FrameEnd) => void;
}

/** The page of a call's server in a frame of ours: without an origin, without a network. */
export function AppFrame({ page, record, sessionId, title, onLink, onEnd }: AppFrameProps) {
  const { client } = useConnection();
  const element = useRef<HTMLIFrameElement>(null);
  const app = useRef<AppSession>(undefined);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const scheme = useScheme();
  const openLink = useEffectEvent(onLink);
  const end = useEffectEvent(onEnd);
  const firstScheme = useEffectEvent(() => scheme);
  const callId = record.id;
  // Before it can have loaded.
  useLayoutEffect(() => {
    const frame = element.current;
    if (!frame?.contentWindow) return undefined;
    const gate = createActionGate(() => performance.now());
    const listener = {
      onHeight: (told: number) => setHeight(Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(told)))),
      openLink: (url: string) => openLink(url),
      async say(text: string) {
        const refused = isUsed(frame) ? gate() : 'a page says something only when it is used';
        if (refused !== undefined) throw new Error(refused);
        await client.uiAction(sessionId, { toolCallId: callId, action: 'message', data: { text } });
      },
      ask: (method: 'tools/call' | 'resources/read', params: JsonObject) =>
        client.appRequest(sessionId, callId, { method, params }),
    };
    app.current = hostApp(frame.contentWindow, { page, record, scheme: firstScheme() }, listener);
    const nothing = () => undefined;
    const connection = connectFrame(frame, false, {
      ...{ onHeight: nothing, onShown: nothing, onFailed: nothing, onAction: nothing },
      onEnd: (why) => end(why),
    });
    connection.openApp(page.html);
    return () => {
      app.current?.close();
      connection.close();
    };
  }, [page, record, client, sessionId, callId]);
  useEffect(() => app.current?.setScheme(scheme), [scheme]);
  return <SandboxedFrame ref={element} title={title} height={height} />;
}
