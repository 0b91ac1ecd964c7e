import { useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';

const NONE: ReadonlyMap<string, unknown> = new Map();

/** How the tools of a session want their results to be shown, by their names. */
export function useToolViews(sessionId: string): ReadonlyMap<string, unknown> {
  const { client } = useConnection();
  const [uis, setUis] = useState(NONE);
  useEffect(() => {
    let isCurrent = true;
    client.tools(sessionId).then(
      (tools) => isCurrent && setUis(new Map(tools.map(({ name, ui }) => [name, ui]))),
      // Results are shown by what they hold, then.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, sessionId]);
  return uis;
}
