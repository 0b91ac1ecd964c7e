import { Fragment } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { TokenLine } from './code-lines.tsx';
import { languageOf } from './highlight.ts';
import { useHighlight } from './use-highlight.ts';

interface CodeBlockProps {
  readonly code: string;
  /** As it was named, whether it is known or not. */
  readonly language?: string | undefined;
  /** Whether it says what it is written in, and can be copied: not where a title above it does so. */
  readonly hasHead?: boolean;
}

export function CodeBlock({ code, language, hasHead = true }: CodeBlockProps) {
  const lines = useHighlight(code, languageOf(language));
  const name = language ? `${language} code` : 'code';
  return (
    <figure className="code-block">
      {hasHead && (
        <figcaption>
          <span>{language ?? 'text'}</span>
          <CopyButton text={code} what={name} />
        </figcaption>
      )}
      <ScrollBox label={name}>
        <pre>
          <code>{lines ? coloured(lines) : code}</code>
        </pre>
      </ScrollBox>
    </figure>
  );
}

function coloured(lines: NonNullable<ReturnType<typeof useHighlight>>) {
  let at = 0;
  return lines.map((tokens) => {
    const key = at;
    at += tokens.reduce((sum, { text }) => sum + text.length, 1);
    return (
      <Fragment key={key}>
        <TokenLine tokens={tokens} />
        {'\n'}
      </Fragment>
    );
  });
}
