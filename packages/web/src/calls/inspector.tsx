import type { ApiPlugin, JsonObject } from '@toolpost/protocol';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { messageOf, useConnection } from '../app/connection.ts';
import { TreeView } from '../renderers/tree-view.tsx';
import type { CallEntry } from '../session/entries.ts';
import { CodeBlock } from '../text/code-block.tsx';
import { formatDuration } from '../text/format.ts';
import { plainLine, plainText, spelledOut } from '../text/plain-text.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { dayOf, findEntry } from './journal-entry.ts';

interface InspectorProps {
  readonly call: CallEntry;
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** Everything that is known of one call. */
export function Inspector({ call, sessionId, onClose }: InspectorProps) {
  const { entry, plugin } = useDetails(call, sessionId);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  const { record } = call;
  const name = plainLine(call.name);
  return (
    <aside
      className="inspector"
      aria-label={`The call of ${name}`}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header>
        <h2>{name}</h2>
        <IconButton icon="cross" label="Close the inspector" ref={close} onClick={onClose} />
      </header>
      <Facts call={call} entry={entry} />
      <Part title="Arguments, as the model wrote them" copy={call.argumentsText}>
        <CodeBlock code={spelledOut(call.argumentsText)} language="json" />
      </Part>
      <Changes entry={entry} />
      <Printed call={call} />
      {record && <FullResult call={call} sessionId={sessionId} />}
      {record?.structuredContent && (
        <Part title="Structured result">
          <TreeView value={record.structuredContent} label="Structured result" />
        </Part>
      )}
      {record?.metadata && (
        <Part title="Metadata">
          <TreeView value={record.metadata} label="Metadata" />
        </Part>
      )}
      <Stderr plugin={plugin} />
    </aside>
  );
}

function useDetails(call: CallEntry, sessionId: string) {
  const { client, attempt } = useConnection();
  const [entry, setEntry] = useState<JsonObject>();
  const [plugin, setPlugin] = useState<ApiPlugin>();
  const { toolCallId, endedAt, startedAt } = call;
  useEffect(() => {
    const day = dayOf(startedAt ?? Date.now());
    if (endedAt !== undefined)
      void attempt(client.journal({ day, limit: 1000 })).then((entries) =>
        setEntry(findEntry(entries ?? [], { id: toolCallId, sessionId })),
      );
    void attempt(client.plugins()).then((all) => setPlugin(all?.find(({ id }) => id === call.plugin)));
  }, [client, attempt, toolCallId, sessionId, startedAt, endedAt, call.plugin]);
  return { entry, plugin };
}

function Part({ title, copy, children }: { title: string; copy?: string; children: ReactNode }) {
  return (
    <section className="part">
      <h3>
        {title} {copy !== undefined && <CopyButton text={copy} what={title.toLowerCase()} />}
      </h3>
      {children}
    </section>
  );
}

function Facts({ call, entry }: { readonly call: CallEntry; readonly entry: JsonObject | undefined }) {
  const ms = (value: unknown) => (typeof value === 'number' ? formatDuration(value) : undefined);
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? plainLine(value) : undefined);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Outcome', call.state],
    ['Plugin', text(call.plugin)],
    ['Began', call.startedAt === undefined ? undefined : new Date(call.startedAt).toLocaleTimeString('en-GB')],
    ['Took', ms(call.record?.durationMs)],
    ['Queued', ms(entry?.queuedMs)],
    ['Waited for you', ms(entry?.waitedMs)],
    ['Decision', text(entry?.decision)],
    ['Rule', text(entry?.rule)],
    ['Answer', call.answered],
    ['Hooks', Array.isArray(entry?.hooks) ? plainLine(entry.hooks.join('; ')) : undefined],
    ['Id', text(call.toolCallId)],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Changes({ entry }: { readonly entry: JsonObject | undefined }) {
  if (!entry?.repairs && !entry?.finalArguments) return null;
  return (
    <>
      {entry.repairs !== undefined && (
        <Part title="Repairs">
          <TreeView value={entry.repairs} label="Repairs" />
        </Part>
      )}
      {entry.finalArguments !== undefined && (
        <Part title="Arguments that ran">
          <CodeBlock code={spelledOut(JSON.stringify(entry.finalArguments, null, 2))} language="json" />
        </Part>
      )}
    </>
  );
}

/** What it printed while it ran: the end of it, and which of it went to stderr. */
function Printed({ call: { output } }: { readonly call: CallEntry }) {
  if (output.length === 0) return null;
  return (
    <Part title="What it printed" copy={output.map(({ text }) => text).join('')}>
      <ScrollBox label="What it printed" className="full-result">
        {Array.from(output.entries(), ([at, { stream, text }]) => (
          <pre key={at} className={`plain ${stream}`}>
            {stream === 'stderr' && <span className="dim">stderr </span>}
            {plainText(text)}
          </pre>
        ))}
      </ScrollBox>
    </Part>
  );
}

function FullResult({ call, sessionId }: { readonly call: CallEntry; readonly sessionId: string }) {
  const { client } = useConnection();
  const [whole, setWhole] = useState<string>();
  const [error, setError] = useState('');
  const { record } = call;
  if (!record) return null;
  const isCut = record.metadata?.fullOutput !== undefined && whole === undefined;
  const load = () => client.callOutput(sessionId, call.toolCallId);
  return (
    <section className="part">
      <h3>
        Result <CopyButton text={load} what="the whole result" />
      </h3>
      <ScrollBox label="Result" className="full-result">
        <pre className="plain">{plainText(whole ?? record.text) || '(no text)'}</pre>
      </ScrollBox>
      {isCut && (
        <button
          type="button"
          className="button"
          onClick={() =>
            load()
              .then(setWhole)
              .catch((thrown) => setError(messageOf(thrown)))
          }
        >
          Load the whole result
        </button>
      )}
      {error !== '' && <p role="alert">{error}</p>}
    </section>
  );
}

function Stderr({ plugin }: { readonly plugin: ApiPlugin | undefined }) {
  const lines = plugin?.processes.flatMap(({ lastStderr }) => lastStderr) ?? [];
  if (lines.length === 0) return null;
  return (
    <Part title="What the plugin logged last">
      <pre className="plain">{plainText(lines.join('\n'))}</pre>
    </Part>
  );
}
