import { useEffect } from 'react';
import type { CallEntry } from '../session/entries.ts';
import { plainLine } from '../text/plain-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { InterfaceBody } from './interface-view.tsx';
import type { ShownInterface } from './shown-interface.ts';

interface InterfacePanelProps {
  readonly call: CallEntry;
  readonly shown: ShownInterface;
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** An interface beside the conversation; over it where there is no room. Esc closes it. */
export function InterfacePanel({ call, shown, sessionId, onClose }: InterfacePanelProps) {
  const name = plainLine(call.name);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onClose]);
  return (
    <aside className="interface-panel" aria-label={`Interface of ${name}`}>
      <header>
        <h2>{name}</h2>
        <IconButton icon="cross" label="Close the interface (Esc)" onClick={onClose} />
      </header>
      <InterfaceBody call={call} shown={shown} sessionId={sessionId} isPanel />
    </aside>
  );
}
