import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

interface Tab {
  readonly id?: string;
  readonly label: string;
  readonly content?: ReactNode;
}

interface TabsProps {
  readonly tabs?: readonly Tab[];
  /** The id or label of the one that is shown first. */
  readonly initial?: string;
  readonly onChange?: (id: string) => void;
}

/** One of several parts at a time. Arrow keys go from one to the next. */
export function Tabs({ tabs = [], initial, onChange }: TabsProps) {
  const id = useId();
  const idOf = (tab: Tab) => tab.id ?? tab.label;
  const [chosen, setChosen] = useState(initial);
  const at = Math.max(
    0,
    tabs.findIndex((tab) => idOf(tab) === chosen),
  );

  function choose(index: number, list?: HTMLElement): void {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (!tab) return;
    setChosen(idOf(tab));
    onChange?.(idOf(tab));
    list?.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(tab)]?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    choose(at + step, event.currentTarget);
  }

  return (
    <div className="ui-tabs">
      <div className="ui-tab-list" role="tablist" onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            key={idOf(tab)}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => choose(index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${at}`} className="ui-stack">
        {tabs[at]?.content}
      </div>
    </div>
  );
}
