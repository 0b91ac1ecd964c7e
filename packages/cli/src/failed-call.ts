import { statSync } from 'node:fs';
import { relative } from 'node:path';
import type { Host } from '@toolpost/host';
import type { CallRecord, Session } from '@toolpost/protocol';
import { plainText, terminalText } from './terminal-text.ts';

/** What a person is told of a call that did not complete: the reason, and where to look. Lines without a last line end. */
export async function describeFailure(host: Host, session: Session, record: CallRecord): Promise<string> {
  const { name, outcome } = record;
  const head = `${plainText(name)} ${outcome}: `;
  if (outcome === 'not-found') return head + (await whereToLook(host, session, name));
  const { thrownAt } = record.metadata ?? {};
  const place = typeof thrownAt === 'string' ? `\n  thrown at ${plainText(shortPath(thrownAt))}` : '';
  return `${head}${terminalText(record.text).trimEnd()}${place}`;
}

/** The record's text speaks to a model, which has a list of tools before it. */
async function whereToLook(host: Host, session: Session, name: string): Promise<string> {
  const { candidates, similar } = await host.why(name, session);
  const quoted = plainText(JSON.stringify(name));
  if (candidates.length > 0) {
    return `this session does not see ${quoted}; \`toolpost why ${plainText(name)}\` tells the reason`;
  }
  const near = similar.length > 0 ? ` Did you mean ${plainText(similar.join(', '))}?` : '';
  return `there is no tool named ${quoted} in this session.${near}\n  \`toolpost tools\` lists what it sees; a folder of your own needs --plugins DIR`;
}

/**
 * The line that names a plugin's log, when something was written to it since `startedAt`, in ms since 1970. What a process
 * writes to its standard error mostly says more than its answer, and may come after it: for when the host is closed.
 */
export function describeLog(path: string, startedAt: number): string {
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return writtenAt < startedAt ? '' : `  its log: ${plainText(shortPath(path))}\n`;
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
