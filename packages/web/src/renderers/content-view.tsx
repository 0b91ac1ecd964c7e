import type { ContentBlock } from '@toolpost/protocol';
import { spelledOut } from '../text/plain-text.ts';
import { SafeLink } from '../text/safe-link.tsx';
import { TextView } from '../text/text-view.tsx';

interface ContentViewProps {
  readonly blocks: readonly ContentBlock[];
  /** Of long texts, not the beginning. */
  readonly showsEnd?: boolean;
}

/** The blocks of a result, each by its kind. */
export function ContentView({ blocks, showsEnd = false }: ContentViewProps) {
  return Array.from(blocks.entries(), ([at, block]) => <Block key={at} block={block} showsEnd={showsEnd} />);
}

function Block({ block, showsEnd }: { readonly block: ContentBlock; readonly showsEnd: boolean }) {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? null : <TextView text={block.text} showsEnd={showsEnd} />;
    case 'image':
      return <Picture data={block.data} mimeType={block.mimeType} />;
    case 'audio':
      return <Sound data={block.data} mimeType={block.mimeType} />;
    case 'resource_link':
      return (
        <p className="resource">
          <SafeLink href={block.uri}>{spelledOut(block.title ?? block.name)}</SafeLink>{' '}
          <span className="dim">{spelledOut(block.description ?? block.uri)}</span>
        </p>
      );
    case 'resource': {
      const { uri, text, mimeType } = block.resource;
      return (
        <div className="resource">
          <p className="dim">
            {spelledOut(uri)} {mimeType && `(${spelledOut(mimeType)})`}
          </p>
          {text !== undefined && <TextView text={text} />}
        </div>
      );
    }
  }
}

/** Kinds that are pictures and nothing else: SVG is a document with scripts and addresses. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif)$/;
const SOUNDS = /^audio\/[\w.+-]+$/;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

function Picture({ data, mimeType }: { readonly data: string; readonly mimeType: string }) {
  if (!PICTURES.test(mimeType) || !BASE64.test(data))
    return <p className="dim">An image that is not shown here ({spelledOut(mimeType)})</p>;
  return (
    <figure className="picture">
      <img src={`data:${mimeType};base64,${data}`} alt="Result of the tool" />
    </figure>
  );
}

function Sound({ data, mimeType }: { readonly data: string; readonly mimeType: string }) {
  if (!SOUNDS.test(mimeType) || !BASE64.test(data))
    return <p className="dim">A sound that is not played here ({spelledOut(mimeType)})</p>;
  return (
    <audio controls src={`data:${mimeType};base64,${data}`} aria-label="Result of the tool">
      <track kind="captions" />
    </audio>
  );
}
