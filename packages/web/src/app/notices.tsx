import { useCallback, useEffect, useState } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import type { NoticeTone } from './connection.ts';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: NoticeTone;
}

const MAX_SHOWN = 4;
const INFO_MS = 6000;
let lastId = 0;

export function useNotices() {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const say = useCallback((text: string, tone: NoticeTone = 'info') => {
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

/** What went wrong, in sight until it was read; what was done, for a while; and what is only said to who listens. */
export function Notices({ notices, onDismiss }: NoticesProps) {
  const said = notices.findLast(({ tone }) => tone !== 'error');
  return (
    <div className="notices">
      <div className="unseen" role="status">
        {said?.text}
      </div>
      {notices.map((notice) =>
        notice.tone === 'spoken' ? null : <Shown key={notice.id} notice={notice} onDismiss={onDismiss} />,
      )}
    </div>
  );
}

function Shown({
  notice: { id, text, tone },
  onDismiss,
}: Pick<NoticesProps, 'onDismiss'> & { readonly notice: Notice }) {
  const isError = tone === 'error';
  useEffect(() => {
    if (isError) return undefined;
    const timer = setTimeout(() => onDismiss(id), INFO_MS);
    return () => clearTimeout(timer);
  }, [id, isError, onDismiss]);
  return (
    <div className={`notice ${tone}`} role={isError ? 'alert' : undefined}>
      <p>{text}</p>
      <IconButton icon="cross" label="Close" onClick={() => onDismiss(id)} />
    </div>
  );
}
