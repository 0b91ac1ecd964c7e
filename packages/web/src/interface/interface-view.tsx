import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../frame/messages.ts';
import type { CallEntry } from '../session/entries.ts';
import { CodeBlock } from '../text/code-block.tsx';
import { plainLine, plainText } from '../text/plain-text.ts';
import { type FrameEnd, frameEndText } from './frame-ends.ts';
import { InterfaceFrame } from './interface-frame.tsx';
import { keepHeight, keptHeight } from './kept-heights.ts';
import { MarkdownInterface } from './markdown-interface.tsx';
import { usePanelContext } from './panel-context.ts';
import type { ShownInterface } from './shown-interface.ts';
import { useAlive } from './use-alive.ts';
import { useInterfaceActions } from './use-interface-actions.ts';

interface InterfaceViewProps {
  readonly call: CallEntry;
  readonly shown: ShownInterface;
  readonly sessionId: string;
}

/** What a call draws, in its card; or where it stands, when its place is beside the conversation. */
export function InterfaceView({ call, shown, sessionId }: InterfaceViewProps) {
  const panel = usePanelContext();
  if (shown.surface !== 'panel') return <InterfaceBody call={call} shown={shown} sessionId={sessionId} />;
  const isOpen = panel.openKey === call.key;
  return (
    <div className="interface">
      <button type="button" className="button" disabled={isOpen} onClick={() => panel.open(call)}>
        {isOpen ? 'It is open' : 'Open the interface'}
      </button>
    </div>
  );
}

export function InterfaceBody({ isPanel = false, ...props }: InterfaceViewProps & { readonly isPanel?: boolean }) {
  const { shown } = props;
  const [showsCode, setShowsCode] = useState(false);
  return (
    <div className={isPanel ? 'interface in-panel' : 'interface'}>
      {shown.mode === 'markdown' ? (
        <MarkdownInterface shown={shown} />
      ) : (
        <Live {...props} isPanel={isPanel} onShowCode={() => setShowsCode(true)} />
      )}
      <div className="interface-tools">
        <button type="button" className="quiet" aria-expanded={showsCode} onClick={() => setShowsCode(!showsCode)}>
          {showsCode ? 'Hide the code' : 'Show the code'}
        </button>
      </div>
      {showsCode && <CodeBlock code={plainText(shown.code)} language={LANGUAGES[shown.mode]} />}
    </div>
  );
}

const LANGUAGES = { genui: 'tsx', html: 'html', chart: 'json', markdown: 'markdown' } as const;
/** Before it has told one. */
const FIRST_HEIGHT = 96;
const [MIN_HEIGHT, MAX_HEIGHT] = [24, 2_400];

/** As long as a process takes to go that hung. */
const RESTART_MS = 500;
/** Within this time it is not slow twice. */
const SLOW_MS = 60_000;

interface LiveProps extends InterfaceViewProps {
  readonly isPanel: boolean;
  readonly onShowCode: () => void;
}

function Live({ call, shown, sessionId, isPanel, onShowCode }: LiveProps) {
  const place = useRef<HTMLDivElement>(null);
  const isAlive = useAlive(place) || isPanel;
  const heightKey = `${sessionId} ${call.key}`;
  const [height, setHeight] = useState(() => keptHeight(heightKey) ?? FIRST_HEIGHT);
  const [isDrawn, setDrawn] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [end, setEnd] = useState<FrameEnd>();
  const [restartedAt, setRestartedAt] = useState(Number.NEGATIVE_INFINITY);
  const act = useInterfaceActions(sessionId, call.toolCallId, shown.isFinal);

  function takeHeight(told: number): void {
    const next = Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, told));
    // While it is written it does not jump up and down.
    const settled = shown.isFinal ? next : Math.max(height, next);
    setHeight(settled);
    keepHeight(heightKey, settled);
  }

  /** One that was drawn and is not used may only have been slow: it gets another chance before it is given up. */
  function takeEnd(why: FrameEnd): void {
    const mayBeSlow =
      why === 'silent' && isDrawn && !isInUse(place.current) && performance.now() - restartedAt > SLOW_MS;
    setDrawn(false);
    setEnd(mayBeSlow ? 'beside' : why);
    if (mayBeSlow) setRestartedAt(performance.now());
  }

  useEffect(() => {
    if (end !== 'beside') return undefined;
    const timer = setTimeout(() => setEnd(undefined), RESTART_MS);
    return () => clearTimeout(timer);
  }, [end]);

  // Where nothing was drawn, its error stands alone.
  const shownHeight = failure && !isDrawn ? 0 : height;
  if (end !== undefined && end !== 'beside')
    return <Broken text={frameEndText(end, 'interface')} onReload={() => setEnd(undefined)} onShowCode={onShowCode} />;
  return (
    <div ref={place} className="interface-place" style={isPanel ? undefined : { minHeight: shownHeight }}>
      {isAlive && end === undefined && (
        <InterfaceFrame
          shown={shown}
          title={`Interface of ${plainLine(call.name)}`}
          isPanel={isPanel}
          height={shownHeight}
          onHeight={takeHeight}
          onShown={() => {
            setDrawn(true);
            setFailure(undefined);
          }}
          onFailed={setFailure}
          onEnd={takeEnd}
          onAction={act}
        />
      )}
      {!isDrawn && !failure && <p className="dim interface-waiting">{waitingText(shown)}</p>}
      {failure && <FailureNote failure={failure} />}
    </div>
  );
}

function isInUse(place: HTMLElement | null): boolean {
  return place?.contains(document.activeElement) ?? false;
}

function waitingText({ isFinal, code }: ShownInterface): string {
  return isFinal ? 'Drawing…' : `Writing an interface… ${code.length.toLocaleString()} characters`;
}

function FailureNote({ failure: { phase, message, line } }: { readonly failure: Failure }) {
  const what = phase === 'event' ? 'Something in this interface failed' : 'This interface could not be drawn';
  return (
    <p className="note error interface-failure" role="alert">
      ✗ {what}: {plainText(message)}
      {line !== undefined && ` (line ${line})`}
    </p>
  );
}

interface BrokenProps {
  readonly text: string;
  readonly onReload: () => void;
  readonly onShowCode: () => void;
}

function Broken({ text, onReload, onShowCode }: BrokenProps) {
  return (
    <div className="broken" role="alert">
      <span>✗ {text}</span>
      <button type="button" className="button" onClick={onReload}>
        Reload
      </button>
      <button type="button" className="button" onClick={onShowCode}>
        Show code
      </button>
    </div>
  );
}
