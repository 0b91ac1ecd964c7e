import { useCallback, useState } from 'react';
import { IconButton } from '../ui/icon-button.tsx';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'error';
}

const MAX_SHOWN = 4;
let lastId = 0;

export function useNotices() {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const say = useCallback((text: string, tone: Notice['tone'] = 'info') => {
    lastId += 1;
    const notice = { id: lastId, text, tone };
    setNotices((before) => [...before.filter((one) => one.text !== text), notice].slice(-MAX_SHOWN));
  }, []);
  const dismiss = useCallback((id: number) => setNotices((before) => before.filter((one) => one.id !== id)), []);
  return { notices, say, dismiss };
}

interface NoticesProps {
  readonly notices: readonly Notice[];
  readonly onDismiss: (id: number) => void;
}

/** What went wrong, in sight until it was read; and what is only said to who listens. */
export function Notices({ notices, onDismiss }: NoticesProps) {
  const errors = notices.filter(({ tone }) => tone === 'error');
  const said = notices.findLast(({ tone }) => tone === 'info');
  return (
    <div className="notices">
      <div className="unseen" role="status">
        {said?.text}
      </div>
      {errors.map(({ id, text }) => (
        <div key={id} className="notice" role="alert">
          <p>{text}</p>
          <IconButton icon="cross" label="Close" onClick={() => onDismiss(id)} />
        </div>
      ))}
    </div>
  );
}
