import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Boundary } from '../app/boundary.tsx';
import { useConnection } from '../app/connection.ts';
import { Examples } from '../app/examples.tsx';
import { Inspector } from '../calls/inspector.tsx';
import { InterfacePanel } from '../interface/interface-panel.tsx';
import { PanelContext } from '../interface/panel-context.ts';
import { usePanel } from '../interface/use-panel.ts';
import { plural } from '../text/format.ts';
import { plainText } from '../text/plain-text.ts';
import { Icon } from '../ui/icon.tsx';
import { useEscape } from '../ui/use-escape.ts';
import { Composer } from './composer.tsx';
import type { CallEntry } from './entries.ts';
import { EntryList } from './entry-list.tsx';
import { SessionHeader } from './session-header.tsx';
import { createSessionStore, type LiveView } from './session-store.ts';
import { useAnnouncements } from './use-announcements.ts';
import { useMessages, type Waiting } from './use-messages.ts';
import { useSessionDetail } from './use-session-detail.ts';
import { useStickToEnd } from './use-stick-to-end.ts';
import { useToolViews } from './use-tool-views.ts';

interface SessionPageProps {
  readonly id: string;
  readonly menuButton: ReactNode;
  /** Something changed that a list of sessions shows. */
  readonly onChange: () => void;
  /** Gets another text when a turn has begun or ended, which may change such a list too. */
  readonly onStage: (stage: string) => void;
}

/** One conversation: what was said and done, as it happens, and where to say more. */
export function SessionPage({ id, menuButton, onChange, onStage }: SessionPageProps) {
  const { client, attempt } = useConnection();
  const store = useMemo(() => createSessionStore(client, id), [client, id]);
  const live = useSyncExternalStore(store.subscribe, store.get);
  const [inspected, setInspected] = useState<number>();
  const box = useRef<HTMLDivElement>(null);
  const { view } = live;
  const uis = useToolViews(id);
  const { panel, open, close } = usePanel(live, uis);
  useAnnouncements(live);
  const stage = `${id} ${view.turns} ${view.isRunning}`;
  useEffect(() => onStage(stage), [onStage, stage]);
  const { detail, read } = useSessionDetail(id, stage, view.isRunning);
  const { send, waiting } = useMessages({ id, detail, turnIds: view.turnIds, read });
  const cancel = useCallback(() => void attempt(client.cancel(id)), [client, attempt, id]);
  useEscape('turn', view.isRunning, cancel);
  const inspect = useCallback((call: CallEntry) => setInspected(call.key), []);
  const endInspection = useCallback(() => setInspected(undefined), []);
  const call = view.entries.find((entry): entry is CallEntry => entry.kind === 'call' && entry.key === inspected);
  if (live.error) return <Gone error={live.error} menuButton={menuButton} />;
  return (
    <div className={call ? 'session with-inspector' : open ? 'session with-panel' : 'session'}>
      <section className="session-main" aria-label="Conversation">
        <SessionHeader {...{ id, live, menuButton, onChange }} session={detail} onEdit={() => void read()} />
        <Conversation live={live} waiting={waiting} box={box} model={detail?.model} onSend={send}>
          <PanelContext value={panel}>
            <EntryList entries={view.entries} sessionId={id} uis={uis} onInspect={inspect} box={box} />
          </PanelContext>
        </Conversation>
        <Composer isRunning={view.isRunning} onSend={send} onCancel={cancel} />
      </section>
      {open && (
        <Boundary what="this interface" key={`interface ${open.call.key}`}>
          <InterfacePanel {...open} sessionId={id} isHidden={call !== undefined} onClose={close} />
        </Boundary>
      )}
      {call && (
        <Boundary what="this call" key={`call ${call.key}`}>
          <Inspector call={call} sessionId={id} onClose={endInspection} />
        </Boundary>
      )}
    </div>
  );
}

interface ConversationProps {
  readonly live: LiveView;
  readonly waiting: readonly Waiting[];
  readonly box: RefObject<HTMLDivElement | null>;
  readonly model: string | undefined;
  readonly onSend: (text: string) => Promise<boolean>;
  readonly children: ReactNode;
}

function Conversation({ live: { view, isLoaded }, waiting, box, model, onSend, children }: ConversationProps) {
  const { isAtEnd, toEnd } = useStickToEnd(box);
  const written = waiting.at(-1)?.turnId;
  // Whoever writes something wants to see what comes of it.
  useEffect(() => {
    if (written !== undefined) toEnd();
  }, [written, toEnd]);
  const isEmpty = isLoaded && view.entries.length === 0 && waiting.length === 0;
  return (
    <div className="conversation-box">
      <div className="conversation" ref={box}>
        <div className="entries" role="log" aria-live="off" aria-label="What was said and done" aria-busy={!isLoaded}>
          {isEmpty && <Empty model={model} onSend={onSend} />}
          {children}
          {view.isRunning && view.asking.length === 0 && <Busy />}
          {waiting.map(({ turnId, text }) => (
            <div key={turnId} className="said-by-user waiting">
              {view.isRunning && <h2 className="dim">Waits for its turn</h2>}
              <p>{plainText(text)}</p>
            </div>
          ))}
        </div>
      </div>
      {view.asking.length > 0 && !isAtEnd && (
        <button type="button" className="button primary to-end" onClick={toEnd}>
          {plural(view.asking.length, 'question')} for you
        </button>
      )}
      {view.asking.length === 0 && !isAtEnd && (
        <button type="button" className="button to-end" onClick={toEnd}>
          <Icon name="down" /> To the end
        </button>
      )}
    </div>
  );
}

function Busy() {
  return (
    <p className="busy-line">
      <span className="spinner" /> Working
    </p>
  );
}

function Empty({ model, onSend }: Pick<ConversationProps, 'model' | 'onSend'>) {
  return (
    <div className="nothing-yet">
      <div className="empty">
        <h2>What should be done?</h2>
        <p>
          The model may call the <a href="#/tools">tools</a> of this session. Those that change something ask you first,
          with a preview of what they would do.
        </p>
      </div>
      {model !== undefined && <Examples isDemo={model === 'demo'} onChoose={onSend} />}
    </div>
  );
}

function Gone({ error, menuButton }: { readonly error: Error; readonly menuButton: ReactNode }) {
  return (
    <div className="page">
      <header className="page-header">{menuButton}</header>
      <div className="empty" role="alert">
        <h1>This session is not there</h1>
        <p>{error.message}</p>
        <p>
          <a href="#/">Go back</a>
        </p>
      </div>
    </div>
  );
}
