import type { Block } from '@toolpost/protocol';
import type { ComponentType } from 'react';
import { plainLine } from '../../text/plain-text.ts';
import { ChartBlock } from './chart-block.tsx';
import { FormBlock, type SubmitForm } from './form-block.tsx';
import { TableBlock } from './table-block.tsx';
import { TreeBlock } from './tree-block.tsx';

/** What a place brings along to draw blocks: what is heavy, and where forms go. */
export interface BlockParts {
  readonly Markdown: ComponentType<{ readonly text: string }>;
  readonly Diff: ComponentType<{ readonly diff: string }>;
  readonly onSubmit: SubmitForm;
}

interface BlockViewProps {
  readonly block: Block;
  readonly parts: BlockParts;
}

/** A block as the page draws it, and as an MCP App does. */
export function BlockView({ block, parts }: BlockViewProps) {
  const title = plainLine(block.title ?? '');
  return (
    <section className={`block block-${block.type}`} aria-label={title || `A ${block.type}`}>
      {title !== '' && <h3 className="block-title">{title}</h3>}
      <Body block={block} parts={parts} />
    </section>
  );
}

function Body({ block, parts }: BlockViewProps) {
  switch (block.type) {
    case 'table':
      return <TableBlock table={block} />;
    case 'chart':
      return <ChartBlock chart={block} />;
    case 'diff':
      return <parts.Diff diff={withPath(block.patch, block.path)} />;
    case 'form':
      return <FormBlock form={block} onSubmit={parts.onSubmit} />;
    case 'tree':
      return <TreeBlock nodes={block.nodes} />;
    case 'markdown':
      return <parts.Markdown text={block.text} />;
  }
}

/** A diff that names no file gets the name that the block gives. */
function withPath(patch: string, path: string | undefined): string {
  if (path === undefined || /^\+\+\+ /m.test(patch)) return patch;
  const name = path.replaceAll(/\s+/g, ' ');
  return `--- ${name}\n+++ ${name}\n${patch}`;
}
