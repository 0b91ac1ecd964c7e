import { useState } from 'react';
import { CodeBlock } from '../text/code-block.tsx';

/**
 * What a tool drew. Markup is in a frame without any right: no script, no form, an origin of its own; the page's policy
 * holds in it too, so it loads nothing. Other code is shown as text.
 */
export function DrawnView({ code, mode }: { readonly code: string; readonly mode: string }) {
  const [showsCode, setShowsCode] = useState(false);
  const isMarkup = mode === 'html' || /^\s*</.test(code);
  return (
    <div className="drawn">
      {isMarkup && !showsCode ? (
        <iframe title="Drawn by the tool" sandbox="" srcDoc={code} loading="lazy" referrerPolicy="no-referrer" />
      ) : (
        <CodeBlock code={code} language={isMarkup ? 'html' : 'tsx'} />
      )}
      {isMarkup && (
        <button type="button" className="quiet more-rows" onClick={() => setShowsCode(!showsCode)}>
          {showsCode ? 'Show it drawn' : 'Show its source'}
        </button>
      )}
    </div>
  );
}
