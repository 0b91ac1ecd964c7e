import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { Boundary } from './boundary.tsx';

interface SidePanelProps {
  readonly className: string;
  readonly title: string;
  /** For who listens. */
  readonly label: string;
  readonly closeLabel: string;
  /** Kept as it is, and not seen. */
  readonly isHidden?: boolean;
  readonly takesFocus?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Something beside the conversation, over it where there is no room. What is in it breaks alone, and can always be closed. */
export function SidePanel(props: SidePanelProps) {
  const { className, title, label, closeLabel, isHidden = false, takesFocus = false, onClose, children } = props;
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) close.current?.focus();
  }, [takesFocus]);
  return (
    <aside className={`side-panel ${className}`} aria-label={label} hidden={isHidden}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="cross" label={closeLabel} ref={close} onClick={onClose} />
      </header>
      <Boundary what="what stands here">{children}</Boundary>
    </aside>
  );
}
