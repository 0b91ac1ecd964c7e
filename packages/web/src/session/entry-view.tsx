import { TURN_ENDINGS } from '@toolpost/protocol';
import { memo } from 'react';
import { Boundary } from '../app/boundary.tsx';
import { CallCard } from '../calls/call-card.tsx';
import { ActionCard } from '../interface/action-card.tsx';
import { formatDuration } from '../text/format.ts';
import { Markdown } from '../text/markdown.tsx';
import { plainText } from '../text/plain-text.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import type { CallEntry, Entry, TurnEndEntry } from './entries.ts';

interface EntryViewProps {
  readonly entry: Entry;
  readonly sessionId: string;
  /** How tools say that their results are shown, by their names. */
  readonly uis: ReadonlyMap<string, unknown>;
  readonly onInspect: (call: CallEntry) => void;
}

export const EntryView = memo(function EntryView(props: EntryViewProps) {
  return (
    <Boundary what="this part of the conversation">
      <Shown {...props} />
    </Boundary>
  );
});

function Shown({ entry, sessionId, uis, onInspect }: EntryViewProps) {
  switch (entry.kind) {
    case 'user':
      return (
        <div className="said-by-user">
          <h2 className={entry.saidBy === undefined ? 'unseen' : 'dim'}>
            {entry.saidBy === undefined ? 'You' : `Sent from an interface of ${plainText(entry.saidBy)}`}
          </h2>
          <p>{plainText(entry.text)}</p>
        </div>
      );
    case 'text':
      return <Markdown text={plainText(entry.text)} isOpen={entry.isOpen} />;
    case 'reasoning':
      return (
        <details className="reasoning" open={entry.isOpen}>
          <summary>{entry.isOpen ? 'Thinking…' : 'Thought'}</summary>
          <p>{plainText(entry.text)}</p>
        </details>
      );
    case 'call':
      return <CallCard call={entry} sessionId={sessionId} ui={uis.get(entry.name)} onInspect={onInspect} />;
    case 'ui-action':
      return <ActionCard entry={entry} sessionId={sessionId} />;
    case 'note':
      return (
        <p className={`note ${entry.tone}`} role={entry.tone === 'error' ? 'alert' : undefined}>
          {plainText(entry.text)}
        </p>
      );
    case 'turn-end':
      return <TurnEnd entry={entry} />;
  }
}

function TurnEnd({ entry }: { readonly entry: TurnEndEntry }) {
  const ending = TURN_ENDINGS[entry.reason];
  return (
    <div className={ending === undefined ? 'turn-end' : 'turn-end stopped'}>
      <p>
        {ending ? `${ending} after` : 'Took'} {formatDuration(entry.durationMs)}
      </p>
      {entry.answer !== '' && <CopyButton text={entry.answer} what="the answer" />}
    </div>
  );
}
