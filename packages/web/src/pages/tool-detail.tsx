import type { ApiTool, ApiWhy } from '@toolpost/protocol';
import { useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { CodeBlock } from '../text/code-block.tsx';
import { plainLine, plainText } from '../text/plain-text.ts';
import { HowShown } from './how-shown.tsx';
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

/** What a tool says of itself, which loosens nothing. */
const HINTS: Readonly<Record<string, string>> = {
  readOnlyHint: 'says it only reads',
  destructiveHint: 'says it may destroy',
  idempotentHint: 'says that twice is as once',
  openWorldHint: 'says it reaches outside',
};

function About({ tool }: { readonly tool: ApiTool }) {
  const hints = Object.entries(tool.annotations ?? {}).flatMap(([hint, value]) =>
    value === true ? [Object.hasOwn(HINTS, hint) ? HINTS[hint] : plainLine(hint)] : [],
  );
  const tags = new Set([plainLine(tool.plugin), plainLine(tool.runtime), tool.scope, ...hints]);
  return (
    <>
      <p className="tags">
        {[...tags].map((tag) => (
          <span key={tag} className="tag">
            {tag}
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
          <HowShown ui={tool.ui} />
        </>
      )}
    </>
  );
}
