import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';

const SHOWN_MS = 1500;

/** Copies a text; `text` may be a function where making it takes a while. */
export function CopyButton({ text, what }: { readonly text: string | (() => Promise<string>); readonly what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('copied');
    } catch {
      setState('failed');
    }
  }
  const label = { idle: `Copy ${what}`, copied: 'Copied', failed: 'The browser did not let it be copied' }[state];
  const icon = { idle: 'copy', copied: 'check', failed: 'cross' } as const;
  return <IconButton className="copy" icon={icon[state]} label={label} onClick={() => void copy()} />;
}
