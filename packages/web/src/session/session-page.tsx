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
import { useConnection } from '../app/connection.ts';
import { Inspector } from '../calls/inspector.tsx';
import { InterfacePanel } from '../interface/interface-panel.tsx';
import { PanelContext } from '../interface/panel-context.ts';
import { usePanel } from '../interface/use-panel.ts';
import { plural } from '../text/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Composer } from './composer.tsx';
import type { CallEntry } from './entries.ts';
import { EntryList } from './entry-list.tsx';
import { SessionHeader } from './session-header.tsx';
import { createSessionStore, type LiveView } from './session-store.ts';
import { useAnnouncements } from './use-announcements.ts';
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

interface Waiting {
  readonly turnId: string;
  readonly text: string;
}

/** One conversation: what was said and done, as it happens, and where to say more. */
export function SessionPage({ id, menuButton, onChange, onStage }: SessionPageProps) {
  const { client, attempt } = useConnection();
  const store = useMemo(() => createSessionStore(client, id), [client, id]);
  const live = useSyncExternalStore(store.subscribe, store.get);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [inspected, setInspected] = useState<number>();
  const box = useRef<HTMLDivElement>(null);
  const { view } = live;
  const uis = useToolViews(id);
  const { panel, open, close } = usePanel(live, uis);
  useAnnouncements(live);
  const stage = `${id} ${view.turns} ${view.isRunning}`;
  useEffect(() => onStage(stage), [onStage, stage]);

  const send = useCallback(
    async (text: string): Promise<boolean> => {
      const turnId = crypto.randomUUID();
      setWaiting((before) => [...before, { turnId, text }]);
      const accepted = await attempt(client.postMessage(id, { text, turnId }));
      if (!accepted) setWaiting((before) => before.filter((one) => one.turnId !== turnId));
      return accepted !== undefined;
    },
    [client, attempt, id],
  );
  const cancel = useCallback(() => void attempt(client.cancel(id)), [client, attempt, id]);
  const inspect = useCallback((call: CallEntry) => setInspected(call.key), []);
  const shownWaiting = waiting.filter(({ turnId }) => !view.turnIds.has(turnId));
  const call = view.entries.find((entry): entry is CallEntry => entry.kind === 'call' && entry.key === inspected);
  if (live.error) return <Gone error={live.error} menuButton={menuButton} />;
  return (
    <div className={call ? 'session with-inspector' : open ? 'session with-panel' : 'session'}>
      <section className="session-main" aria-label="Conversation">
        <SessionHeader id={id} live={live} menuButton={menuButton} onChange={onChange} />
        <Conversation live={live} waiting={shownWaiting} box={box}>
          <PanelContext value={panel}>
            <EntryList entries={view.entries} sessionId={id} uis={uis} onInspect={inspect} box={box} />
          </PanelContext>
        </Conversation>
        <Composer isRunning={view.isRunning} onSend={send} onCancel={cancel} />
      </section>
      {open && !call && <InterfacePanel key={open.call.key} {...open} sessionId={id} onClose={close} />}
      {call && <Inspector key={call.key} call={call} sessionId={id} onClose={() => setInspected(undefined)} />}
    </div>
  );
}

interface ConversationProps {
  readonly live: LiveView;
  readonly waiting: readonly Waiting[];
  readonly box: RefObject<HTMLDivElement | null>;
  readonly children: ReactNode;
}

function Conversation({ live: { view, isLoaded }, waiting, box, children }: ConversationProps) {
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
          {isEmpty && <Empty />}
          {children}
          {waiting.map(({ turnId, text }) => (
            <div key={turnId} className="said-by-user waiting">
              <p>{text}</p>
            </div>
          ))}
          {view.isRunning && view.asking.length === 0 && <Busy />}
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

function Empty() {
  return (
    <div className="empty">
      <h2>What should be done?</h2>
      <p>
        The model may call the tools of this session. Those that change something ask you first, with a preview of what
        they would do.
      </p>
      <p>
        <a href="#/tools">See the tools</a>
      </p>
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
