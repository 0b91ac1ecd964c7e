import { useState } from 'react';
import { CodeBlock } from '../text/code-block.tsx';
import { spelledOut } from '../text/plain-text.ts';
import { indentedJson } from './indented-json.ts';
import { InspectorPart } from './inspector-part.tsx';

/** The arguments of a call, laid out to be read; at a click to the letter, as the model wrote them and as they are copied. */
export function WrittenArguments({ text }: { readonly text: string }) {
  const [isRaw, setRaw] = useState(false);
  const indented = indentedJson(text);
  return (
    <InspectorPart title="Arguments, as the model wrote them" copy={text}>
      <CodeBlock code={spelledOut(isRaw ? text : indented)} language="json" hasHead={false} />
      {indented !== text && (
        <button type="button" className="quiet more-rows" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          {isRaw ? 'Lay them out' : 'Show them to the letter'}
        </button>
      )}
    </InspectorPart>
  );
}
