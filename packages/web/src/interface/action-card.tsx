import { useState } from 'react';
import { useConnection } from '../app/connection.ts';
import type { ActionEntry } from '../session/entries.ts';
import { CodeBlock } from '../text/code-block.tsx';
import { plainLine, spelledOut } from '../text/plain-text.ts';

/** What somebody did in an interface, which its plugin does not handle: it says what would be sent, and sends it on. */
export function ActionCard({ entry, sessionId }: { readonly entry: ActionEntry; readonly sessionId: string }) {
  const { client, attempt } = useConnection();
  const [isSending, setSending] = useState(false);
  const { action, plugin, data, isNote, isSent } = entry;
  const state = isNote ? 'told to the model' : isSent ? 'sent on' : 'waits for you';

  async function send(): Promise<void> {
    setSending(true);
    await attempt(client.sendUiAction(sessionId, entry.actionId));
    setSending(false);
  }

  return (
    <article className="call ui-action" aria-label={`Action ${plainLine(action)}, ${state}`} data-state={state}>
      <header>
        <span className="call-name">{plainLine(action)}</span>
        <span className="call-argument">in an interface of {plainLine(plugin)}</span>
        <span className="call-state">{state}</span>
      </header>
      <div className="call-body">
        {Object.keys(data).length > 0 && <CodeBlock code={spelledOut(JSON.stringify(data, null, 2))} language="json" />}
        {!isNote && !isSent && (
          <div className="answers">
            <button type="button" className="button primary" disabled={isSending} onClick={() => void send()}>
              Send to the model
            </button>
            <span className="dim">It is told as what the interface said, not as your words.</span>
          </div>
        )}
      </div>
    </article>
  );
}
