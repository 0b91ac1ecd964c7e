import { isJsonObject } from '@toolpost/protocol';
import type { ReactNode } from 'react';
import { plainLine } from '../text/plain-text.ts';

const MODES: Readonly<Record<string, string>> = {
  genui: 'draws an interface: a React component',
  html: 'draws a page of HTML',
  chart: 'draws a chart: an ECharts option',
  markdown: 'is shown as Markdown',
  blocks: 'is shown as blocks: tables, charts, diffs, forms, trees',
  app: 'is shown by a page of its MCP server',
  diff: 'is shown as a diff',
  tree: 'is shown as a tree',
};

/** What a tool says of how its results are shown, in words. */
export function HowShown({ ui }: { readonly ui: unknown }) {
  if (!isJsonObject(ui)) return null;
  const { mode, param, libs, surface, resourceUri } = ui;
  const kind = typeof mode === 'string' && Object.hasOwn(MODES, mode) ? MODES[mode] : 'is shown by what it holds';
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['From argument', typeof param === 'string' && <code>{plainLine(param)}</code>],
    ['Libraries', Array.isArray(libs) && libs.length > 0 && libs.map((one) => plainLine(String(one))).join(', ')],
    ['Where', surface === 'panel' && 'beside the conversation'],
    ['Page', typeof resourceUri === 'string' && <code>{plainLine(resourceUri)}</code>],
  ];
  return (
    <>
      <p>Its result {kind}.</p>
      <dl className="facts">
        {facts.map(([name, value]) =>
          value === false ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </>
  );
}
