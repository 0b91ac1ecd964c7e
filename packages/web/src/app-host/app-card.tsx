import { type AppPage, type CallRecord, isJsonObject, messageOf } from '@toolpost/protocol';
import { useEffect, useRef, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { type FrameEnd, frameEndText } from '../interface/frame-ends.ts';
import { useAlive } from '../interface/use-alive.ts';
import { ContentView } from '../renderers/content-view.tsx';
import { plainLine, spelledOut } from '../text/plain-text.ts';
import { AppFrame } from './app-frame.tsx';

interface AppCardProps {
  readonly record: CallRecord;
  readonly sessionId: string;
}

export function hasApp({ metadata }: CallRecord): boolean {
  return isJsonObject(metadata?.app) && typeof metadata.app.hash === 'string';
}

type Loaded = { readonly page: AppPage } | { readonly problem: string };

/** What a call's server shows of it, by MCP Apps, with what it may not do; where that is gone, the result itself. */
export function AppCard({ record, sessionId }: AppCardProps) {
  const { client } = useConnection();
  const place = useRef<HTMLDivElement>(null);
  const isAlive = useAlive(place);
  const [loaded, setLoaded] = useState<Loaded>();
  const [ended, setEnded] = useState<FrameEnd>();
  useEffect(() => {
    let isCurrent = true;
    client.appPage(sessionId, record.id).then(
      (page) => isCurrent && setLoaded({ page }),
      (error: unknown) => isCurrent && setLoaded({ problem: messageOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, sessionId, record.id]);
  const page = loaded && 'page' in loaded ? loaded.page : undefined;
  return (
    <div className="interface app" ref={place}>
      {page && isAlive && !ended && <Live page={page} record={record} sessionId={sessionId} onEnd={setEnded} />}
      {ended && (
        <div className="broken" role="alert">
          <span>✗ {frameEndText(ended === 'beside' ? 'silent' : ended, 'page')}</span>
          <button type="button" className="button" onClick={() => setEnded(undefined)}>
            Reload
          </button>
        </div>
      )}
      {loaded && 'problem' in loaded && (
        <>
          <p className="note error">✗ Its page cannot be shown: {plainLine(loaded.problem)}</p>
          <ContentView blocks={record.content} />
        </>
      )}
      {page && <Denied domains={page.domains} server={record.plugin} />}
    </div>
  );
}

interface Question {
  readonly url: string;
  readonly settle: (isOpened: boolean) => void;
}

function Live({
  page,
  record,
  sessionId,
  onEnd,
}: AppCardProps & { readonly page: AppPage; readonly onEnd: (why: FrameEnd) => void }) {
  const [question, setQuestion] = useState<Question>();
  function answer(isOpened: boolean): void {
    if (isOpened && question) window.open(question.url, '_blank', 'noopener,noreferrer');
    question?.settle(isOpened);
    setQuestion(undefined);
  }
  return (
    <>
      <AppFrame
        {...{ page, record, sessionId, onEnd }}
        title={`Page of ${plainLine(record.plugin)} for ${plainLine(page.tool.name)}`}
        onLink={(url) => {
          if (!/^https?:\/\//i.test(url) || question) return Promise.resolve(false);
          const { promise, resolve } = Promise.withResolvers<boolean>();
          setQuestion({ url, settle: resolve });
          return promise;
        }}
      />
      {question && (
        <div className="question" role="alert">
          <p>
            This page of <strong>{spelledOut(record.plugin)}</strong> wants to open {spelledOut(question.url)}
          </p>
          <div className="answers">
            <button type="button" className="button" onClick={() => answer(true)}>
              Open it
            </button>
            <button type="button" className="button" onClick={() => answer(false)}>
              No
            </button>
          </div>
        </div>
      )}
    </>
  );
}

function Denied({ domains, server }: { readonly domains: readonly string[]; readonly server: string }) {
  if (domains.length === 0) return null;
  const named = domains.slice(0, 5).map(plainLine).join(', ');
  const more = domains.length > 5 ? ` and ${domains.length - 5} more` : '';
  return (
    <p className="dim">
      ⊘ This page of {plainLine(server)} asks for {named}
      {more}: pages here have no network.
    </p>
  );
}
