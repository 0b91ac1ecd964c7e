import { type Block, type CallRecord, contentWithoutBlocks, type JsonObject, readBlocks } from '@toolpost/protocol';
import { useMemo } from 'react';
import { Boundary } from '../../app/boundary.tsx';
import { useConnection } from '../../app/connection.ts';
import { ACTION_ANSWERS } from '../../interface/use-interface-actions.ts';
import { Markdown } from '../../text/markdown.tsx';
import { ContentView } from '../content-view.tsx';
import { DiffView } from '../diff-view.tsx';
import './blocks.css';
import { type BlockParts, BlockView } from './block-view.tsx';
import type { SubmitAnswer } from './form-block.tsx';

interface BlocksViewProps {
  readonly record: CallRecord;
  readonly sessionId: string;
}

/** What a call's result draws with blocks, below what it says. */
export function BlocksView({ record, sessionId }: BlocksViewProps) {
  const { client, attempt } = useConnection();
  const blocks = useMemo(() => blocksOf(record), [record]);
  const parts: BlockParts = {
    Markdown,
    Diff: DiffView,
    async onSubmit(action: string, data: JsonObject): Promise<SubmitAnswer | undefined> {
      const answer = await attempt(client.uiAction(sessionId, { toolCallId: record.id, action, data }));
      if (!answer) return undefined;
      const { handled, result } = answer;
      return { text: result?.text || ACTION_ANSWERS[handled], isError: result?.isError ?? false };
    },
  };
  return (
    <div className="blocks">
      <ContentView blocks={contentWithoutBlocks(record.content)} />
      {Array.from(blocks.entries(), ([at, block]) => (
        <Boundary key={at} what={`this ${block.type}`}>
          <BlockView block={block} parts={parts} />
        </Boundary>
      ))}
    </div>
  );
}

export function hasBlocks({ metadata }: CallRecord): boolean {
  return Array.isArray(metadata?.blocks) && metadata.blocks.length > 0;
}

/** An older host may have kept what this page does not know: it is left out. */
function blocksOf({ metadata }: CallRecord): readonly Block[] {
  if (!Array.isArray(metadata?.blocks)) return [];
  return readBlocks(metadata.blocks).blocks.filter(
    (block): block is Block => block.type !== 'diff' || 'patch' in block,
  );
}
