import { memo, useEffect, useState } from 'react';
import { InterfaceView } from '../interface/interface-view.tsx';
import { interfaceOf } from '../interface/shown-interface.ts';
import { showResult, viewOf } from '../renderers/registry.tsx';
import { type CallEntry, isEnded } from '../session/entries.ts';
import { formatDuration } from '../text/format.ts';
import { plainLine } from '../text/plain-text.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ApprovalQuestion } from './approval-question.tsx';
import { FormQuestion } from './form-question.tsx';
import { LiveOutput } from './live-output.tsx';

interface CallCardProps {
  readonly call: CallEntry;
  readonly sessionId: string;
  /** What its tool says of its results. */
  readonly ui: unknown;
  readonly onInspect: (call: CallEntry) => void;
}

interface Look {
  readonly word: string;
  readonly tone: 'quiet' | 'busy' | 'good' | 'bad' | 'asking';
  readonly icon: IconName;
}

const LOOKS: Readonly<Record<CallEntry['state'], Look>> = {
  writing: { word: 'writing', tone: 'quiet', icon: 'more' },
  queued: { word: 'queued', tone: 'quiet', icon: 'circle' },
  asking: { word: 'asks you', tone: 'asking', icon: 'alert' },
  running: { word: 'running', tone: 'busy', icon: 'clock' },
  completed: { word: 'done', tone: 'good', icon: 'check' },
  failed: { word: 'failed', tone: 'bad', icon: 'cross' },
  'invalid-input': { word: 'invalid input', tone: 'bad', icon: 'cross' },
  'not-found': { word: 'not found', tone: 'bad', icon: 'cross' },
  denied: { word: 'denied', tone: 'quiet', icon: 'blocked' },
  'timed-out': { word: 'timed out', tone: 'bad', icon: 'clock' },
  cancelled: { word: 'cancelled', tone: 'quiet', icon: 'stop' },
  crashed: { word: 'crashed', tone: 'bad', icon: 'alert' },
};

const MAX_ARGUMENT_CHARS = 300;

/** One call from its first word to its result. */
export const CallCard = memo(function CallCard({ call, sessionId, ui, onInspect }: CallCardProps) {
  const look = LOOKS[call.state];
  const name = plainLine(call.name) || 'a tool';
  const shown = interfaceOf(call, ui);
  return (
    <article className={`call is-${look.tone}`} aria-label={`Call of ${name}, ${look.word}`} data-state={call.state}>
      <header>
        <span className="call-mark" aria-hidden="true">
          ▸
        </span>
        <span className="call-name">{name}</span>
        <span className="call-argument">{argumentOf(call, shown !== undefined)}</span>
        <span className="call-state">
          <span className="call-sign">
            {look.tone === 'busy' ? <span className="spinner" /> : <Icon name={look.icon} />}
          </span>
          <span className="state-word">{look.word}</span> <Time call={call} />
        </span>
        <IconButton icon="inspect" label={`Inspect the call of ${name}`} onClick={() => onInspect(call)} />
      </header>
      {shown && <InterfaceView call={call} shown={shown} sessionId={sessionId} />}
      <Body call={call} sessionId={sessionId} ui={ui} isDrawn={shown !== undefined} />
    </article>
  );
});

/** What it is mainly about; where nothing better is known, all that it was given, if that is not what is drawn. */
function argumentOf({ displayArg, argumentsText, state }: CallEntry, isDrawn: boolean): string {
  const line = plainLine(displayArg ?? '');
  if (line !== '') return line.slice(0, MAX_ARGUMENT_CHARS);
  const given = state === 'asking' || isDrawn ? '' : plainLine(argumentsText.slice(0, 2 * MAX_ARGUMENT_CHARS));
  return given === '{}' ? '' : given.slice(0, MAX_ARGUMENT_CHARS);
}

function Time({ call }: { readonly call: CallEntry }) {
  if (call.record) return <>{formatDuration(call.record.durationMs)}</>;
  if (call.state === 'running' && call.startedAt !== undefined) return <Seconds since={call.startedAt} />;
  return null;
}

/** Counts by itself, so that nothing around it is drawn again. */
function Seconds({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(0, Math.floor((now - since) / 1000))} s</>;
}

interface BodyProps extends Omit<CallCardProps, 'onInspect'> {
  /** Whether its interface stands above: what was written of it is not shown as text then. */
  readonly isDrawn: boolean;
}

function Body({ call, sessionId, ui, isDrawn }: BodyProps) {
  const { approval, form, record, progress } = call;
  if (approval) return <ApprovalQuestion approval={approval} sessionId={sessionId} />;
  if (form) return <FormQuestion form={form} sessionId={sessionId} />;
  if (record)
    return isDrawn ? null : (
      <div className="call-body">
        <div className={LOOKS[call.state].tone === 'bad' ? 'result bad-result' : 'result'}>
          {showResult({ record, view: viewOf(record, ui), sessionId, hasPrinted: call.output.pieces.length > 0 })}
        </div>
      </div>
    );
  if (isEnded(call)) return null;
  return (
    <div className="call-body">
      {progress && <Progress {...progress} />}
      <LiveOutput output={call.output} />
    </div>
  );
}

/** A tool may say anything of its whole: what no part can be taken of is told as the number that it is. */
function Progress({ progress, total = 0, message = '' }: NonNullable<CallEntry['progress']>) {
  const percent = total > 0 ? Math.min(100, Math.max(0, (100 * progress) / total)) : undefined;
  return (
    <div className="progress">
      <progress max={100} value={percent} aria-label="Progress of the call" />
      <span className="dim">
        {percent === undefined ? progress : `${Math.round(percent)} %`} {plainLine(message)}
      </span>
    </div>
  );
}
