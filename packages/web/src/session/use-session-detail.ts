import type { ApiSessionDetail } from '@toolpost/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useConnection } from '../app/connection.ts';

/** While something runs, others may ask for more: what waits is told by no event. */
const REFRESH_MS = 5000;

/** What only the server knows of a session, read again when a turn begins or ends, and now and then while one runs. */
export function useSessionDetail(id: string, stage: string, isRunning: boolean) {
  const { client } = useConnection();
  const [detail, setDetail] = useState<ApiSessionDetail>();
  const asked = useRef(0);
  /** Resolves with whether it was read; what follows the events tells of a server that does not answer. */
  const read = useCallback(async (): Promise<boolean> => {
    asked.current += 1;
    const own = asked.current;
    try {
      const found = await client.getSession(id);
      if (own === asked.current) setDetail(found);
      return true;
    } catch {
      return false;
    }
  }, [client, id]);
  useEffect(() => {
    if (stage !== '') void read();
  }, [read, stage]);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => !document.hidden && void read(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [read, isRunning]);
  return { detail, read };
}
