import type { ReactNode } from 'react';

interface ScrollBoxProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Something that may be larger than its place: then the keyboard reaches it, and it has a name. */
export function ScrollBox({ label, className = '', children }: ScrollBoxProps) {
  return (
    <section className={`scroll-box ${className}`} ref={watchOverflow(label)}>
      {children}
    </section>
  );
}

function watchOverflow(label: string) {
  return (box: HTMLElement | null) => {
    if (!box) return;
    const update = () => {
      box.toggleAttribute('data-more', box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
      const overflows = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (!overflows) {
        box.removeAttribute('tabindex');
        box.removeAttribute('aria-label');
        return;
      }
      box.tabIndex = 0;
      box.setAttribute('aria-label', label);
    };
    const observer = new ResizeObserver(update);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    box.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', update);
    };
  };
}
