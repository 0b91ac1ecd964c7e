import type { ApiSessionDetail } from '@toolpost/protocol';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { go } from '../app/place.ts';
import { formatCount } from '../text/format.ts';
import { modelName, plainLine } from '../text/plain-text.ts';
import { Menu } from '../ui/menu.tsx';
import { useEscape } from '../ui/use-escape.ts';
import { download } from './download.ts';
import { ModelForm } from './model-form.tsx';
import type { LiveView } from './session-store.ts';

interface SessionHeaderProps {
  readonly id: string;
  readonly live: LiveView;
  /** Undefined until it is known. */
  readonly session: ApiSessionDetail | undefined;
  readonly menuButton: ReactNode;
  /** A list of sessions is another now. */
  readonly onChange: () => void;
  /** What the server knows of this one is another now. */
  readonly onEdit: () => void;
}

export function SessionHeader({ id, live, session, menuButton, onChange, onEdit }: SessionHeaderProps) {
  const { client, attempt, say } = useConnection();
  const [edits, setEdits] = useState<'title' | 'model'>();
  const stopEditing = () => setEdits(undefined);
  useEscape('edit', edits !== undefined, stopEditing);
  const title = plainLine(session?.title ?? '') || 'New session';
  useEffect(() => {
    document.title = `${title} · Toolpost`;
  }, [title]);

  async function change(request: Promise<ApiSessionDetail>): Promise<boolean> {
    if (!(await attempt(request))) return false;
    stopEditing();
    onEdit();
    onChange();
    return true;
  }
  async function exportAs(format: 'markdown' | 'json'): Promise<void> {
    const text = await attempt(client.exportSession(id, format));
    if (text === undefined) return;
    const [extension, type] = format === 'json' ? ['json', 'application/json'] : ['md', 'text/markdown'];
    download(text, `session-${id}.${extension}`, type);
  }
  async function fork(): Promise<void> {
    const forked = await attempt(client.forkSession(id));
    if (!forked) return;
    onChange();
    go({ page: 'session', id: forked.id });
  }
  async function remove(): Promise<void> {
    if (!confirm(`Delete "${title}" with all that is kept of it?`)) return;
    await attempt(client.deleteSession(id));
    onChange();
    go({ page: 'home' });
  }
  const items = [
    { label: 'Rename', act: () => setEdits('title') },
    { label: 'Choose the model', act: () => setEdits('model') },
    { label: 'Export as Markdown', act: () => void exportAs('markdown') },
    { label: 'Export as JSON', act: () => void exportAs('json') },
    { label: 'Go on in a copy', act: () => void fork() },
    {
      label: 'Summarize for the model',
      act: () => void attempt(client.compactSession(id)).then((done) => done && say('The conversation was summarized')),
    },
    {
      label: 'Forget for the model',
      act: () => void attempt(client.clearSession(id).then(() => say('The model has forgotten what was said'))),
    },
    { label: 'Delete', isDangerous: true, act: () => void remove() },
  ];
  return (
    <header className="page-header">
      {menuButton}
      {edits === 'title' && (
        <Rename title={session?.title ?? ''} onDone={(to) => change(client.renameSession(id, to))} />
      )}
      {edits === 'model' && (
        <ModelForm
          model={session?.model ?? ''}
          onDone={(model) => change(client.setModel(id, model))}
          onCancel={stopEditing}
        />
      )}
      {!edits && <h1>{title}</h1>}
      <Status session={session} live={live} onModel={() => setEdits('model')} />
      <Menu label="More for this session" items={items} />
    </header>
  );
}

interface StatusProps {
  readonly session: ApiSessionDetail | undefined;
  readonly live: LiveView;
  readonly onModel: () => void;
}

function Status({ session, live, onModel }: StatusProps) {
  const { isConnected, isLoaded, view } = live;
  return (
    <div className="status">
      {session?.model && (
        <button type="button" className="quiet status-model" title="Choose the model" onClick={onModel}>
          {modelName(session.model)}
        </button>
      )}
      {view.tokens > 0 && <span className="status-tokens">{formatCount(view.tokens)} tokens</span>}
      <span className={isConnected ? 'connection' : 'connection lost'} role="status">
        <span className="dot" aria-hidden="true" />
        <span className={isConnected ? 'unseen' : ''}>
          {isConnected ? 'Connected' : isLoaded ? 'Connecting again' : 'Connecting'}
        </span>
      </span>
    </div>
  );
}

interface RenameProps {
  readonly title: string;
  readonly onDone: (title: string) => Promise<boolean>;
}

function Rename({ title, onDone }: RenameProps) {
  const [text, setText] = useState(title);
  function submit(event: FormEvent): void {
    event.preventDefault();
    void onDone(text.trim());
  }
  return (
    <form className="rename" onSubmit={submit}>
      <input
        aria-label="Title of the session"
        ref={(input) => input?.focus()}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button">
        Save
      </button>
    </form>
  );
}
