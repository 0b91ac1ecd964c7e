import { useEffect, useState } from 'react';

/**
 * What a request gives, and gave last while it is made again: for another `load`, or another `version` of what it asks for.
 * A request that fails changes nothing, and is told to `onError`.
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  version: string | number,
  onError?: (error: unknown) => void,
): T | undefined {
  const [loaded, setLoaded] = useState<{ readonly value: T; readonly version: string | number }>();
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setLoaded({ value, version }),
      (error) => isCurrent && onError?.(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [load, version, onError]);
  return loaded?.value;
}
