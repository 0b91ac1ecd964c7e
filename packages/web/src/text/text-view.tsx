import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { CodeBlock } from './code-block.tsx';
import { plural } from './format.ts';
import { lastLines, plainText } from './plain-text.ts';

const SHOWN_LINES = 8;
const SHOWN_CHARS = 2000;

interface TextViewProps {
  readonly text: string;
  readonly language?: string | undefined;
  /** Of what was printed the end says how it went. */
  readonly showsEnd?: boolean;
}

/** A text as it came: its beginning or its end, and all of it on demand. */
export function TextView({ text, language, showsEnd = false }: TextViewProps) {
  const [isOpen, setOpen] = useState(false);
  const plain = plainText(text).replace(/\n+$/, '');
  const lines = plain.split('\n');
  const isLong = lines.length > SHOWN_LINES + 2 || plain.length > SHOWN_CHARS;
  const end = () => lastLines(plain, SHOWN_LINES).slice(-SHOWN_CHARS);
  const beginning = () => lines.slice(0, SHOWN_LINES).join('\n').slice(0, SHOWN_CHARS);
  const shown = isOpen || !isLong ? plain : showsEnd ? end() : beginning();
  const all = lines.length === 1 ? `all ${plain.length} characters` : `all ${lines.length} lines`;
  const above = lines.length - SHOWN_LINES;
  const more = showsEnd && above > 0 ? `${plural(above, 'line')} above` : all;
  const toggle = isLong && (
    <button type="button" className="quiet more-rows" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? 'Show less' : `Show ${more}`}
    </button>
  );
  return (
    <div className={language === undefined ? 'text-view' : 'text-view is-code'}>
      {showsEnd && toggle}
      {language === undefined ? (
        <div className="copied-text">
          <pre className="plain">{shown}</pre>
          <CopyButton text={text} what="the text" />
        </div>
      ) : (
        <CodeBlock code={shown} language={language} />
      )}
      {!showsEnd && toggle}
    </div>
  );
}
