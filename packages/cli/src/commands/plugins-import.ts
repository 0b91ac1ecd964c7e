import { type ImportReport, importServers } from '@toolpost/host';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

/** `toolpost plugins import`: takes over another client's MCP servers. Exits with 1 when one of them is not taken. */
export async function pluginsImport(file: string, { config }: { config?: string }): Promise<number> {
  const report = await importServers(file, { environment: process.env, configFile: config });
  await print(plainText(describe(report)));
  return report.notTaken.length === 0 ? 0 : 1;
}

function describe({ taken, notTaken, notes, configFile }: ImportReport): string {
  const lines = [
    ...taken.flatMap(({ id, entry, notes: own }) => [
      `✓ ${id}  ${entry.url ?? [entry.command, ...[entry.args].flat()].join(' ')}`,
      ...own.map((note) => `    ${note}`),
    ]),
    ...notTaken.map(({ id, reason }) => `✗ ${id}  not taken: ${reason}`),
    ...notes.map((note) => `  ${note}`),
  ];
  if (taken.length > 0) {
    lines.push(`They stand in ${configFile} now, and run with your rights once they are used.`);
    lines.push('`toolpost plugins list` starts them and shows their tools.');
  }
  return `${lines.join('\n')}\n`;
}
