import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { useEscape } from './use-escape.ts';

export interface MenuItem {
  readonly label: string;
  readonly isDangerous?: boolean;
  act(): void;
}

/** A button that opens a short list of things to do. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEscape('menu', isOpen, () => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  });
  useEffect(() => {
    const element = box.current;
    if (!isOpen || !element) return;
    const closeOutside = (event: Event) => {
      if (!element.contains(event.target as Node)) setOpen(false);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      moveFocus(element, event.key === 'ArrowDown' ? 1 : -1);
    };
    document.addEventListener('pointerdown', closeOutside);
    element.addEventListener('keydown', onKeyDown);
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      element.removeEventListener('keydown', onKeyDown);
    };
  }, [isOpen]);

  const list: ReactNode = items.map((item) => (
    <button
      key={item.label}
      type="button"
      role="menuitem"
      className={item.isDangerous ? 'menu-item danger' : 'menu-item'}
      onClick={() => {
        setOpen(false);
        item.act();
      }}
    >
      {item.label}
    </button>
  ));
  return (
    <div className="menu" ref={box}>
      <IconButton
        icon="more"
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div className="menu-list" role="menu" id={id} aria-label={label}>
          {list}
        </div>
      )}
    </div>
  );
}

function moveFocus(box: HTMLElement, step: number): void {
  const items = [...box.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + step + items.length) % items.length]?.focus();
}
