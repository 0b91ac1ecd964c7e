import { SidePanel } from '../app/side-panel.tsx';
import type { CallEntry } from '../session/entries.ts';
import { plainLine } from '../text/plain-text.ts';
import { useEscape } from '../ui/use-escape.ts';
import { InterfaceBody } from './interface-view.tsx';
import type { ShownInterface } from './shown-interface.ts';

interface InterfacePanelProps {
  readonly call: CallEntry;
  readonly shown: ShownInterface;
  readonly sessionId: string;
  /** While something else stands in its place: it runs on, and what was filled in stays. */
  readonly isHidden: boolean;
  readonly onClose: () => void;
}

/** An interface beside the conversation; over it where there is no room. Esc closes it. */
export function InterfacePanel({ call, shown, sessionId, isHidden, onClose }: InterfacePanelProps) {
  const name = plainLine(call.name);
  useEscape('panel', !isHidden, onClose);
  return (
    <SidePanel
      className="interface-panel"
      title={name}
      label={`Interface of ${name}`}
      closeLabel="Close the interface (Esc)"
      {...{ isHidden, onClose }}
    >
      <InterfaceBody call={call} shown={shown} sessionId={sessionId} isPanel />
    </SidePanel>
  );
}
