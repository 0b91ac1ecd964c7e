import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import type { Draw } from './picture.ts';

/** Markdown as elements. Markup in it is shown as the text that it is; links say where they lead, and lead nowhere. */
export const drawMarkdown: Draw = ({ code }) => <div className="ui-markdown">{blocks(lexer(code))}</div>;

function blocks(tokens: readonly Token[]): ReactNode {
  return Array.from(tokens.entries(), ([index, token]) => <Fragment key={index}>{block(token)}</Fragment>);
}

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading);
    case 'paragraph':
      return <p>{inlines(token.tokens)}</p>;
    case 'list':
      return list(token as Tokens.List);
    case 'code':
      return (
        <ScrollBox label="Code">
          <pre>
            <code>{(token as Tokens.Code).text}</code>
          </pre>
        </ScrollBox>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'hr':
      return <hr />;
    case 'table':
      return table(token as Tokens.Table);
    case 'space':
    case 'def':
      return null;
    case 'text':
      return token.tokens ? inlines(token.tokens) : plain(token as Tokens.Text);
    default:
      return token.raw;
  }
}

function heading({ depth, tokens }: Tokens.Heading): ReactNode {
  // A page has one title, which is not in here.
  const Name = `h${Math.min(6, depth + 1)}` as 'h2';
  return <Name>{inlines(tokens)}</Name>;
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const Name = ordered ? 'ol' : 'ul';
  return (
    <Name {...(ordered && { start: Number(start) || 1 })}>
      {Array.from(items.entries(), ([index, item]) => (
        <li key={index}>
          {item.task && <input type="checkbox" checked={item.checked === true} readOnly aria-label="done" />}
          {blocks(item.tokens)}
        </li>
      ))}
    </Name>
  );
}

function table({ header, rows }: Tokens.Table): ReactNode {
  return (
    <ScrollBox label="Table" className="ui-table-box">
      <table className="ui-table">
        <thead>
          <tr>
            {Array.from(header.entries(), ([index, cell]) => (
              <th key={index} scope="col" style={cell.align ? { textAlign: cell.align } : undefined}>
                {inlines(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from(rows.entries(), ([index, row]) => (
            <tr key={index}>
              {Array.from(row.entries(), ([place, cell]) => (
                <td key={place} style={cell.align ? { textAlign: cell.align } : undefined}>
                  {inlines(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function inlines(tokens: readonly Token[] = []): ReactNode {
  return Array.from(tokens.entries(), ([index, token]) => <Fragment key={index}>{inline(token)}</Fragment>);
}

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens)}</em>;
    case 'del':
      return <del>{inlines(token.tokens)}</del>;
    case 'codespan':
      return <code>{unescaped((token as Tokens.Codespan).text)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <span className="ui-link">
          {inlines(token.tokens)} <span className="ui-dim">({(token as Tokens.Link).href})</span>
        </span>
      );
    case 'image':
      return <span className="ui-dim">[{(token as Tokens.Image).text || 'picture'}]</span>;
    case 'text':
      return token.tokens ? inlines(token.tokens) : plain(token as Tokens.Text);
    case 'escape':
      return (token as Tokens.Escape).text;
    default:
      return token.raw;
  }
}

function plain({ text, raw, escaped }: Tokens.Text): string {
  return escaped ? unescaped(text) : (text ?? raw);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** React escapes by itself. */
function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
