import { type CallRecord, messageOf } from '@toolpost/protocol';
import { useState } from 'react';
import { useConnection } from '../app/connection.ts';
import type { CallEntry } from '../session/entries.ts';
import { plainText } from '../text/plain-text.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { InspectorPart } from './inspector-part.tsx';

interface FullResultProps {
  readonly call: CallEntry;
  readonly record: CallRecord;
  readonly sessionId: string;
}

/** The text of a result, and on demand the whole of one that was cut. */
export function FullResult({ call, record, sessionId }: FullResultProps) {
  const { client } = useConnection();
  const [whole, setWhole] = useState<string>();
  const [error, setError] = useState('');
  const isCut = record.metadata?.fullOutput !== undefined && whole === undefined;
  const load = () => client.callOutput(sessionId, call.toolCallId);
  async function show(): Promise<void> {
    try {
      setWhole(await load());
    } catch (thrown) {
      setError(messageOf(thrown));
    }
  }
  return (
    <InspectorPart title="Result" copy={load}>
      <ScrollBox label="Result" className="full-result">
        <pre className="plain">{plainText(whole ?? record.text) || '(no text)'}</pre>
      </ScrollBox>
      {isCut && (
        <button type="button" className="button" onClick={() => void show()}>
          Load the whole result
        </button>
      )}
      {error !== '' && (
        <p className="note error" role="alert">
          {error}
        </p>
      )}
    </InspectorPart>
  );
}
