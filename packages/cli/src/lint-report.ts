import type { ToolLint } from '@toolpost/host';

/** The findings for people: a tool, then one line each. */
export function lintReport(lints: readonly ToolLint[], toolCount: number): string {
  if (lints.length === 0) return `${toolCount} tools: every provider takes them as they are.\n`;
  const refused = lints.filter(isRefused).length;
  const summary = `${toolCount} tools: ${lints.length} with findings, ${refused} refused by a provider.`;
  return `${lints.map(describe).join('\n')}\n${summary}\n`;
}

export function isRefused({ providers }: ToolLint): boolean {
  return providers.some(({ refused }) => refused !== undefined);
}

function describe({ name, alias, advice, providers }: ToolLint): string {
  const lines = [...(alias === undefined ? [] : [`offered as ${alias}`]), ...advice, ...byFinding(providers)];
  return `${name}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** A finding once, with all whom it is about. */
function byFinding(providers: ToolLint['providers']): string[] {
  const findings = providers.flatMap(({ provider, refused, changes }) =>
    [...(refused === undefined ? [] : [`refused: ${refused}`]), ...changes].map((text) => ({ provider, text })),
  );
  const grouped = Map.groupBy(findings, ({ text }) => text);
  return [...grouped].map(([text, of]) => `${of.map(({ provider }) => provider).join(', ')}: ${text}`);
}
