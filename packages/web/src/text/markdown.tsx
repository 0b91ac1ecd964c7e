import { isValidElement, memo, type ReactNode } from 'react';
import { type Components, Streamdown } from 'streamdown';
import { CodeBlock } from './code-block.tsx';
import { RemoteImage, SafeLink } from './safe-link.tsx';
import { isTameMarkdown } from './tame-markdown.ts';
import { TextView } from './text-view.tsx';

interface MarkdownProps {
  readonly text: string;
  /** Whether more of it comes: what is open is closed for now. */
  readonly isOpen?: boolean;
}

/** Markdown of a model or a tool. Markup in it is shown as text, and nothing of it is loaded. */
export const Markdown = memo(function Markdown({ text, isOpen = false }: MarkdownProps) {
  if (!isTameMarkdown(text)) return <TextView text={text} />;
  return (
    <Streamdown
      className="markdown"
      mode={isOpen ? 'streaming' : 'static'}
      parseIncompleteMarkdown={isOpen}
      rehypePlugins={[[markupAsText]]}
      components={COMPONENTS}
      controls={false}
    >
      {text}
    </Streamdown>
  );
});

interface HtmlNode {
  type: string;
  value?: string;
  children?: HtmlNode[];
}

/** What the parser took for markup becomes the text that it is. */
function markupAsText() {
  return (tree: HtmlNode): void => {
    for (const node of tree.children ?? []) {
      if (node.type === 'raw') node.type = 'text';
      markupAsText()(node);
    }
  };
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <RemoteImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
  pre: ({ children }) => <Block>{children}</Block>,
  code: ({ children }) => <code>{children}</code>,
  // Headings of what is said stand below those of the page.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  h6: ({ children }) => <h6>{children}</h6>,
  p: ({ children }) => <p>{children}</p>,
  ul: ({ children }) => <ul>{children}</ul>,
  ol: ({ children, start }) => <ol start={start}>{children}</ol>,
  li: ({ children }) => <li>{children}</li>,
  strong: ({ children }) => <strong>{children}</strong>,
  blockquote: ({ children }) => <blockquote>{children}</blockquote>,
  hr: () => <hr />,
  table: ({ children }) => (
    <div className="table-box">
      <table>{children}</table>
    </div>
  ),
  thead: ({ children }) => <thead>{children}</thead>,
  tbody: ({ children }) => <tbody>{children}</tbody>,
  tr: ({ children }) => <tr>{children}</tr>,
  th: ({ children, style }) => <th style={style}>{children}</th>,
  td: ({ children, style }) => <td style={style}>{children}</td>,
};

function Block({ children }: { readonly children?: ReactNode }) {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
  const { className = '', children: code } = children.props;
  const language = /language-(\S+)/.exec(className)?.[1];
  return <CodeBlock code={String(code ?? '').replace(/\n$/, '')} language={language} />;
}
