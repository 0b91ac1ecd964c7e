import { useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import { plainText } from './plain-text.ts';

const SHOWN_LINES = 8;
const SHOWN_CHARS = 2000;

/** A text as it came: its beginning, and all of it on demand. */
export function TextView({ text, language }: { readonly text: string; readonly language?: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const plain = plainText(text).replace(/\n+$/, '');
  const lines = plain.split('\n');
  const isLong = lines.length > SHOWN_LINES + 2 || plain.length > SHOWN_CHARS;
  const shown = isOpen || !isLong ? plain : lines.slice(0, SHOWN_LINES).join('\n').slice(0, SHOWN_CHARS);
  return (
    <div className="text-view">
      {language === undefined ? <pre className="plain">{shown}</pre> : <CodeBlock code={shown} language={language} />}
      {isLong && (
        <button type="button" className="quiet more-rows" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen
            ? 'Show less'
            : `Show all ${lines.length === 1 ? `${plain.length} characters` : `${lines.length} lines`}`}
        </button>
      )}
    </div>
  );
}
