import { type Block, isJsonObject, type JsonObject, parseDiff, readBlocks } from '@toolpost/protocol';
import { createRoot } from 'react-dom/client';
import { drawMarkdown } from '../frame/modes/draw-markdown.tsx';
import { Words } from '../frame/words.tsx';
import { type BlockParts, BlockView } from '../renderers/blocks/block-view.tsx';
import { type AppActions, textOf } from './app-actions.ts';
import type { AppView } from './app-view.ts';

/** Shows the blocks of a result. */
export function createBlocksView(place: HTMLElement, actions: AppActions): AppView {
  const root = createRoot(place);
  const parts: BlockParts = { Markdown, Diff, onSubmit: (action, data) => actions.act({ action, data }) };
  return {
    showArguments: () => undefined,
    showResult(result) {
      const blocks = blocksOf(result);
      root.render(
        <div className="blocks">
          {blocks.length === 0 && <Words text={textOf(result)} isError={result.isError === true} />}
          {Array.from(blocks.entries(), ([at, block]) => (
            <BlockView key={at} block={block} parts={parts} />
          ))}
        </div>,
      );
    },
  };
}

function blocksOf({ _meta: meta }: JsonObject): readonly Block[] {
  const metadata = isJsonObject(meta) ? meta['toolpost/metadata'] : undefined;
  const { blocks } = readBlocks(isJsonObject(metadata) ? (metadata.blocks ?? []) : []);
  return blocks.filter((block): block is Block => block.type !== 'diff' || 'patch' in block);
}

function Markdown({ text }: { readonly text: string }) {
  return drawMarkdown({ version: 0, mode: 'markdown', code: text, isFinal: true });
}

const SIGNS = { same: ' ', removed: '−', added: '+', note: '' } as const;

function Diff({ diff }: { readonly diff: string }) {
  const rows = parseDiff(diff);
  if (!rows) return <pre>{diff}</pre>;
  return (
    <pre className="app-diff">
      {Array.from(rows.entries(), ([at, { kind, text }]) => (
        <div key={at} className={kind}>
          {SIGNS[kind]} {text}
        </div>
      ))}
    </pre>
  );
}
