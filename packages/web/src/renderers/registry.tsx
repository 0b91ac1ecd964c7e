import type { CallRecord } from '@toolpost/protocol';
import type { ReactNode } from 'react';
import { AppCard, hasApp } from '../app-host/app-card.tsx';
import { languageOfFile } from '../text/highlight.ts';
import { Markdown } from '../text/markdown.tsx';
import { TextView } from '../text/text-view.tsx';
import { BlocksView, hasBlocks } from './blocks/blocks-view.tsx';
import { TableBlock } from './blocks/table-block.tsx';
import { ContentView } from './content-view.tsx';
import { readTable } from './data-shape.ts';
import { DiffView } from './diff-view.tsx';
import { TreeView } from './tree-view.tsx';

/** A result, and how its tool wants to be shown: `metadata.view` of the result, else `ui.mode` of the tool. */
export interface Shown {
  readonly record: CallRecord;
  readonly view: string | undefined;
  readonly sessionId: string;
  /** Whether the call printed while it ran. */
  readonly hasPrinted: boolean;
}

export interface Renderer {
  readonly id: string;
  /** What it shows of this result; undefined leaves it to the next one. */
  show(shown: Shown): ReactNode | undefined;
}

/**
 * How results are shown: the first that takes a result shows it. They go by what a result holds and by what its tool
 * says of it, never by a tool's name, so that a plugin's tool is shown as well as a built-in one.
 */
export const RENDERERS: readonly Renderer[] = [
  {
    id: 'error',
    show: ({ record, hasPrinted }) =>
      record.isError && !hasBlocks(record) && record.content.length > 0 ? (
        <ContentView blocks={record.content} showsEnd={hasPrinted} />
      ) : undefined,
  },
  {
    id: 'app',
    show: ({ record, sessionId }) =>
      hasApp(record) ? <AppCard key={record.id} record={record} sessionId={sessionId} /> : undefined,
  },
  {
    id: 'blocks',
    show: ({ record, sessionId }) =>
      hasBlocks(record) ? <BlocksView record={record} sessionId={sessionId} /> : undefined,
  },
  {
    id: 'diff',
    show: ({ record: { metadata, text }, view }) => {
      const diff = typeof metadata?.diff === 'string' ? metadata.diff : view === 'diff' ? text : undefined;
      return diff === undefined || diff === '' ? undefined : <DiffView diff={diff} />;
    },
  },
  {
    id: 'table',
    show: ({ record, view }) => {
      const table = view === 'tree' ? undefined : record.structuredContent && readTable(record.structuredContent);
      return table && withPictures(record, <TableBlock table={table} />);
    },
  },
  {
    id: 'tree',
    show: ({ record }) =>
      record.structuredContent &&
      withPictures(record, <TreeView value={record.structuredContent} label="Result as data" />),
  },
  {
    id: 'markdown',
    show: ({ record, view }) =>
      view === 'markdown' ? withPictures(record, <Markdown text={record.text} />) : undefined,
  },
  {
    id: 'code',
    show: ({ record }) => {
      const language = languageOf(record);
      return language ? withPictures(record, <TextView text={record.text} language={language} />) : undefined;
    },
  },
  { id: 'content', show: ({ record, hasPrinted }) => <ContentView blocks={record.content} showsEnd={hasPrinted} /> },
];

/** What a text is written in: as its tool says, else by the file that it is of. */
function languageOf({ metadata }: CallRecord): string | undefined {
  if (typeof metadata?.language === 'string') return metadata.language;
  return typeof metadata?.path === 'string' ? languageOfFile(metadata.path) : undefined;
}

/** What stands beside the texts is shown by its kind, whatever the texts are shown as. */
function withPictures({ content }: CallRecord, view: ReactNode): ReactNode {
  return (
    <>
      {view}
      <ContentView blocks={content.filter(({ type }) => type !== 'text')} />
    </>
  );
}

export function showResult(shown: Shown): ReactNode {
  for (const renderer of RENDERERS) {
    const view = renderer.show(shown);
    if (view !== undefined) return view;
  }
  return null;
}

export function viewOf({ metadata }: CallRecord, ui: unknown): string | undefined {
  if (typeof metadata?.view === 'string') return metadata.view;
  const mode = typeof ui === 'object' && ui !== null && 'mode' in ui ? ui.mode : undefined;
  return typeof mode === 'string' ? mode : undefined;
}
