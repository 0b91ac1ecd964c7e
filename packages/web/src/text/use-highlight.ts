import { useEffect, useState } from 'react';
import { highlight, type Token } from './highlight.ts';

type Lines = readonly (readonly Token[])[];

/** The coloured lines of a code once there are any; undefined means: show it plain. */
export function useHighlight(code: string, language: string | undefined): Lines | undefined {
  const [done, setDone] = useState<{ readonly code: string; readonly lines: Lines | undefined }>();
  useEffect(() => {
    if (language === undefined) return;
    let isCurrent = true;
    highlight(code, language)
      .then((lines) => isCurrent && setDone({ code, lines }))
      // A grammar that does not load or fails costs the colours alone.
      .catch(() => isCurrent && setDone({ code, lines: undefined }));
    return () => {
      isCurrent = false;
    };
  }, [code, language]);
  return done?.code === code ? done.lines : undefined;
}
