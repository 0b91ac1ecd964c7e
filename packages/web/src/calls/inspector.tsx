import type { JsonObject } from '@toolpost/protocol';
import { SidePanel } from '../app/side-panel.tsx';
import { TreeView } from '../renderers/tree-view.tsx';
import type { CallEntry } from '../session/entries.ts';
import { linesOf } from '../session/output-tail.ts';
import { CodeBlock } from '../text/code-block.tsx';
import { plural } from '../text/format.ts';
import { plainLine, spelledOut } from '../text/plain-text.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { useEscape } from '../ui/use-escape.ts';
import { CallFacts } from './call-facts.tsx';
import { CallStderr } from './call-stderr.tsx';
import { FullResult } from './full-result.tsx';
import { InspectorPart } from './inspector-part.tsx';
import { PrintedLines } from './printed-lines.tsx';
import { useCallDetails } from './use-call-details.ts';
import { WrittenArguments } from './written-arguments.tsx';

interface InspectorProps {
  readonly call: CallEntry;
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** Everything that is known of one call. */
export function Inspector({ call, sessionId, onClose }: InspectorProps) {
  const name = plainLine(call.name);
  useEscape('inspector', true, onClose);
  return (
    <SidePanel
      className="inspector"
      title={name}
      label={`The call of ${name}`}
      closeLabel="Close the inspector (Esc)"
      takesFocus
      onClose={onClose}
    >
      <Parts call={call} sessionId={sessionId} />
    </SidePanel>
  );
}

function Parts({ call, sessionId }: Omit<InspectorProps, 'onClose'>) {
  const { entry, plugin } = useCallDetails(call, sessionId);
  const { record } = call;
  return (
    <div className="parts">
      <CallFacts call={call} entry={entry} />
      <WrittenArguments text={call.argumentsText} />
      {entry?.isThere && <Changes entry={entry.value} />}
      <Printed call={call} />
      {record && <FullResult call={call} record={record} sessionId={sessionId} />}
      {record?.structuredContent && (
        <InspectorPart title="Structured result">
          <TreeView value={record.structuredContent} label="Structured result" />
        </InspectorPart>
      )}
      {record?.metadata && (
        <InspectorPart title="Metadata">
          <TreeView value={record.metadata} label="Metadata" />
        </InspectorPart>
      )}
      <CallStderr call={call} plugin={plugin} />
    </div>
  );
}

function Changes({ entry }: { readonly entry: JsonObject }) {
  const final = entry.finalArguments === undefined ? undefined : JSON.stringify(entry.finalArguments, null, 2);
  return (
    <>
      {entry.repairs !== undefined && (
        <InspectorPart title="Repairs">
          <TreeView value={entry.repairs} label="Repairs" />
        </InspectorPart>
      )}
      {final !== undefined && (
        <InspectorPart title="Arguments that ran" copy={final}>
          <CodeBlock code={spelledOut(final)} language="json" hasHead={false} />
        </InspectorPart>
      )}
    </>
  );
}

/** What it printed while it ran: the end of it, and which of it went to stderr. */
function Printed({ call: { output } }: { readonly call: CallEntry }) {
  const { pieces, droppedLines } = output;
  if (pieces.length === 0) return null;
  return (
    <InspectorPart title="What it printed" copy={pieces.map(({ text }) => text).join('')}>
      {droppedLines > 0 && <p className="dim">{plural(droppedLines, 'line')} before these: in the result</p>}
      <ScrollBox label="What it printed" className="full-result">
        <pre className="plain">
          <PrintedLines lines={linesOf(pieces)} />
        </pre>
      </ScrollBox>
    </InspectorPart>
  );
}
