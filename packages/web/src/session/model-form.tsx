import { type FormEvent, useCallback, useId, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { useLoaded } from '../app/use-loaded.ts';

interface ModelFormProps {
  readonly model: string;
  /** Resolves with whether the server takes it. */
  readonly onDone: (model: string) => Promise<boolean>;
  readonly onCancel: () => void;
}

/** Which model answers from the next turn on. The server says what it knows; any name of a provider may be written. */
export function ModelForm({ model, onDone, onCancel }: ModelFormProps) {
  const { client } = useConnection();
  const load = useCallback(() => client.models(), [client]);
  const models = useLoaded(load, 0);
  const [text, setText] = useState(model);
  const id = useId();
  const ready = models?.providers.filter(({ isReady }) => isReady) ?? [];
  const suggestions = [...new Set([models?.default ?? '', model, ...ready.map(({ specification }) => specification)])];
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '') void onDone(text.trim());
  }
  return (
    <form className="rename" onSubmit={submit}>
      <input
        aria-label="Model of the session"
        ref={(input) => input?.focus()}
        list={id}
        value={text}
        maxLength={500}
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id={id}>
        {suggestions
          .filter((name) => name !== '')
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
      <button type="submit" className="button">
        Use it
      </button>
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}
