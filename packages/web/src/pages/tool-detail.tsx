import type { ApiTool, ApiWhy } from '@toolpost/protocol';
import { useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { TreeView } from '../renderers/tree-view.tsx';
import { CodeBlock } from '../text/code-block.tsx';
import { plainLine, plainText } from '../text/plain-text.ts';
import { SchemaFields } from './schema-fields.tsx';
import { Why } from './why.tsx';

/** All about one name, whether a tool has it or not. */
export function ToolDetail({ name, tool }: { readonly name: string; readonly tool: ApiTool | undefined }) {
  const { client, attempt } = useConnection();
  const [why, setWhy] = useState<ApiWhy>();
  useEffect(() => void attempt(client.why(name)).then(setWhy), [client, attempt, name]);
  return (
    <article className="detail" aria-label={`About ${plainLine(name)}`}>
      <a className="back" href="#/tools">
        All tools
      </a>
      <h2>{plainLine(name)}</h2>
      {tool ? <About tool={tool} /> : <p>No tool of a new session has this name.</p>}
      {why && <Why why={why} />}
      {tool && (
        <details>
          <summary>Schema as JSON</summary>
          <CodeBlock code={JSON.stringify(tool.inputSchema, null, 2)} language="json" />
        </details>
      )}
    </article>
  );
}

function About({ tool }: { readonly tool: ApiTool }) {
  const hints = Object.entries(tool.annotations ?? {}).filter(([, value]) => value === true);
  return (
    <>
      <p className="tags">
        <span className="tag">{plainLine(tool.plugin)}</span>
        <span className="tag">{plainLine(tool.runtime)}</span>
        <span className="tag">{tool.scope}</span>
        {hints.map(([hint]) => (
          <span key={hint} className="tag">
            {plainLine(hint)}
          </span>
        ))}
      </p>
      <p className="description">{plainText(tool.description)}</p>
      <h3>Arguments</h3>
      <SchemaFields schema={tool.inputSchema} primaryArg={tool.primaryArg} />
      {tool.outputSchema && (
        <>
          <h3>Structured result</h3>
          <SchemaFields schema={tool.outputSchema} primaryArg={undefined} />
        </>
      )}
      {tool.ui !== undefined && (
        <>
          <h3>How it is shown</h3>
          <TreeView value={tool.ui} label="How it is shown" />
        </>
      )}
    </>
  );
}
