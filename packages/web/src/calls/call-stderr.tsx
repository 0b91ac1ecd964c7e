import type { ApiPlugin } from '@toolpost/protocol';
import type { CallEntry } from '../session/entries.ts';
import { plainText } from '../text/plain-text.ts';
import { InspectorPart } from './inspector-part.tsx';

interface CallStderrProps {
  readonly call: CallEntry;
  readonly plugin: ApiPlugin | undefined;
}

/** The last words of the process in which a call ran; or that it is gone, and they with it. */
export function CallStderr({ call, plugin }: CallStderrProps) {
  if (!plugin || (plugin.processes.length === 0 && !RUNS_APART.has(plugin.runtime))) return null;
  const endedAt = call.endedAt ?? Number.POSITIVE_INFINITY;
  // A call may start its process. One that began after the call had ended is another.
  const processes = plugin.processes.filter(({ startedAt }) => startedAt <= endedAt);
  const lines = processes.flatMap(({ lastStderr }) => lastStderr);
  return (
    <InspectorPart title="What its process logged last" {...(lines.length > 0 && { copy: lines.join('\n') })}>
      {lines.length > 0 && <pre className="plain">{plainText(lines.join('\n'))}</pre>}
      {lines.length > 0 && <p className="dim">Other calls run in the same process, and log there too.</p>}
      {lines.length === 0 && <p className="dim">{processes.length > 0 ? 'It logged nothing.' : GONE}</p>}
    </InspectorPart>
  );
}

const GONE = 'The process that ran this call is gone, and its last words with it. The log of the plugin keeps them.';

/** What runs in the host's own process logs to the host; an MCP server may be anywhere. */
const RUNS_APART: ReadonlySet<string> = new Set(['stdio', 'channel']);
