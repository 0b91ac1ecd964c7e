import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { Failure, FrameAction } from '../frame/messages.ts';
import { connectFrame, type FrameConnection } from './frame-connection.ts';
import type { FrameEnd } from './frame-ends.ts';
import { SandboxedFrame } from './sandboxed-frame.tsx';
import type { ShownInterface } from './shown-interface.ts';
import { useScheme } from './use-scheme.ts';

interface InterfaceFrameProps {
  readonly shown: ShownInterface;
  readonly title: string;
  readonly isPanel: boolean;
  readonly height: number;
  readonly onHeight: (height: number) => void;
  readonly onShown: () => void;
  readonly onFailed: (failure: Failure) => void;
  readonly onEnd: (why: FrameEnd) => void;
  /** Gives what became of it. */
  readonly onAction: (action: FrameAction) => Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** One frame: a page without an origin and without a network, which draws the code that it is given. */
export function InterfaceFrame({ shown, title, isPanel, height, ...listener }: InterfaceFrameProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const connection = useRef<FrameConnection>(undefined);
  const scheme = useScheme();
  const onHeight = useEffectEvent(listener.onHeight);
  const onShown = useEffectEvent(listener.onShown);
  const onFailed = useEffectEvent(listener.onFailed);
  const onEnd = useEffectEvent(listener.onEnd);
  const onAction = useEffectEvent((action: FrameAction) => {
    const to = connection.current;
    void listener.onAction(action).then(({ text, isError }) => to?.endAction(action.id, text, isError));
  });
  // Before it can have loaded.
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const made = connectFrame(element.current, isPanel, {
      onHeight: (height) => onHeight(height),
      onShown: () => onShown(),
      onFailed: (failure) => onFailed(failure),
      onEnd: (why) => onEnd(why),
      onAction: (action) => onAction(action),
    });
    connection.current = made;
    return () => made.close();
  }, [isPanel]);
  useEffect(() => connection.current?.setScheme(scheme), [scheme]);
  const { mode, code, isFinal, libs } = shown;
  const libNames = libs.join(' ');
  useEffect(() => {
    connection.current?.show({ mode, code, isFinal, libs: libNames.split(' ').filter(Boolean) });
  }, [mode, code, isFinal, libNames]);
  return <SandboxedFrame ref={element} title={title} height={isPanel ? undefined : height} />;
}
