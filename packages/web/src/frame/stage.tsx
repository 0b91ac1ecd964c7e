import { Component, type ReactNode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { toFailure } from './genui/error-place.ts';
import type { ModuleLoader } from './genui/load-module.ts';
import { IsWhole } from './is-whole.ts';
import type { Failure, FrameMode, ShowRequest } from './messages.ts';
import { drawChart } from './modes/draw-chart.tsx';
import { createGenuiDraw } from './modes/draw-genui.tsx';
import { drawHtml } from './modes/draw-html.tsx';
import { drawMarkdown } from './modes/draw-markdown.tsx';
import type { Draw, Picture } from './modes/picture.ts';
import { Words } from './words.tsx';

export interface StageListener {
  onShown(version: number, compileMs: number): void;
  onFailed(version: number, failure: Failure): void;
}

export interface Stage {
  /** Draws it, at most every 100 ms what is not whole. What cannot be drawn leaves what was drawn before. */
  show(request: ShowRequest): void;
  /** Puts words in the place of what was drawn. */
  showText(text: string, isError: boolean): void;
}

const MIN_INTERVAL_MS = 100;

/** Where code becomes something to see. The last good version stays until a newer one is drawn whole. */
export function createStage(place: HTMLElement, loader: ModuleLoader, listener: StageListener): Stage {
  const root = createRoot(place, { onUncaughtError: () => undefined, onCaughtError: () => undefined });
  const draws: Readonly<Record<FrameMode, Draw>> = {
    ...{ genui: createGenuiDraw(loader), html: drawHtml, markdown: drawMarkdown, chart: drawChart },
  };
  let waiting: ShowRequest | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let good: Picture | undefined;
  /** Counts how often it was begun anew, without the state that was. */
  let beginning = 0;
  let retried = -1;

  function drawWaiting(): void {
    timer = undefined;
    const request = waiting;
    waiting = undefined;
    if (!request) return;
    drawnAt = performance.now();
    try {
      const element = draws[request.mode](request);
      if (element !== undefined) put({ ...request, element, compileMs: performance.now() - drawnAt });
    } catch (error) {
      tell(request, error, 'compile');
    }
    drawnAt = performance.now();
  }

  function put(picture: Picture): void {
    root.render(
      <Boundary key={beginning} picture={picture} onError={(error) => recover(picture, error)}>
        <Shown key="shown" picture={picture} onShown={succeed} />
      </Boundary>,
    );
  }

  function succeed(picture: Picture): void {
    const isNew = good?.version !== picture.version;
    good = picture;
    if (isNew) listener.onShown(picture.version, picture.compileMs);
  }

  /** Its state may be that of another version: it gets one chance without it, then what was good before is back. */
  function recover(picture: Picture, error: unknown): void {
    beginning += 1;
    const isFirst = retried !== picture.version;
    retried = picture.version;
    if (isFirst) {
      // It had been drawn, so that its own state is what is lost: that is told.
      if (good?.version === picture.version) tell(picture, error, 'event');
      queueMicrotask(() => put(picture));
      return;
    }
    const before = good === undefined || good.version === picture.version ? undefined : good;
    tell(picture, error, 'render');
    queueMicrotask(() => (before ? put(before) : root.render(null)));
  }

  function tell(
    { version, isFinal }: { version: number; isFinal: boolean },
    error: unknown,
    phase: Failure['phase'],
  ): void {
    // What is not whole fails most of the time, and the next one comes.
    if (isFinal) listener.onFailed(version, toFailure(error, phase));
  }

  return {
    show(request) {
      waiting = request;
      const waitMs = request.isFinal ? 0 : drawnAt + MIN_INTERVAL_MS - performance.now();
      if (waitMs <= 0) {
        clearTimeout(timer);
        drawWaiting();
      } else timer ??= setTimeout(drawWaiting, waitMs);
    },
    showText(text, isError) {
      clearTimeout(timer);
      timer = undefined;
      waiting = undefined;
      good = undefined;
      root.render(<Words text={text} isError={isError} />);
    },
  };
}

function Shown({ picture, onShown }: { readonly picture: Picture; readonly onShown: (picture: Picture) => void }) {
  useLayoutEffect(() => onShown(picture), [picture, onShown]);
  return <IsWhole value={picture.isFinal}>{picture.element}</IsWhole>;
}

interface BoundaryProps {
  readonly picture: Picture;
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children;
  }
}
