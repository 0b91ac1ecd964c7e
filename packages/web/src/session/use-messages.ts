import type { ApiSessionDetail } from '@toolpost/protocol';
import { useCallback, useState } from 'react';
import { useConnection } from '../app/connection.ts';

/** A message whose turn has not begun. */
export interface Waiting {
  readonly turnId: string;
  readonly text: string;
}

interface SessionNow {
  readonly id: string;
  readonly detail: ApiSessionDetail | undefined;
  /** What clients called the turns that have begun. */
  readonly turnIds: ReadonlySet<string>;
  readonly read: () => Promise<boolean>;
}

/** Sends messages, and knows those that wait behind a turn: of this tab, of others, and of before it was loaded again. */
export function useMessages({ id, detail, turnIds, read }: SessionNow) {
  const { client, attempt } = useConnection();
  const [own, setOwn] = useState<readonly Waiting[]>([]);
  const send = useCallback(
    async (text: string): Promise<boolean> => {
      const turnId = crypto.randomUUID();
      const drop = () => setOwn((before) => before.filter((one) => one.turnId !== turnId));
      setOwn((before) => [...before, { turnId, text }]);
      const accepted = await attempt(client.postMessage(id, { text, turnId }));
      if (!accepted) drop();
      // From now on the server tells of it, until its turn begins.
      else void read().then((isKnown) => isKnown && drop());
      return accepted !== undefined;
    },
    [client, attempt, id, read],
  );
  const told = detail?.openMessages ?? [];
  const isTold = ({ turnId }: Waiting) => told.some((one) => one.turnId === turnId);
  const waiting = [...told, ...own.filter((one) => !isTold(one))].filter(({ turnId }) => !turnIds.has(turnId));
  return { send, waiting };
}
