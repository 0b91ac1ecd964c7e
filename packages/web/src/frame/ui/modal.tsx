import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icon.tsx';

interface ModalProps {
  readonly open?: boolean;
  readonly title?: string;
  readonly onClose?: () => void;
  readonly children?: ReactNode;
}

/** Something that is asked or shown before all else. Esc closes it, and the focus stays in it. */
export function Modal({ open = false, title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
    else if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="ui-modal" aria-labelledby={title === undefined ? undefined : id} onClose={onClose}>
      {open && (
        <>
          <header className="ui-card-head">
            <h3 id={id}>{title}</h3>
            <button
              type="button"
              className="ui-button is-quiet"
              aria-label="Close"
              onClick={() => dialog.current?.close()}
            >
              <Icon name="close" />
            </button>
          </header>
          {children}
        </>
      )}
    </dialog>
  );
}
