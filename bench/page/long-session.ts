import { openSessionStore } from '@toolpost/host';
import type { CallRecord, EventBody } from '@toolpost/protocol';

interface LongSession {
  /** Of a session that is there and empty. */
  readonly id: string;
  readonly count: number;
}

/** Writes `count` events into a session of a home directory, as an agent at work leaves them. */
export async function writeLongSession(homeDir: string, { id, count }: LongSession): Promise<void> {
  const { PATH, HOME } = process.env;
  const store = await openSessionStore({ PATH, HOME, TOOLPOST_HOME: homeDir });
  const bodies: EventBody[] = [];
  for (let turn = 0; bodies.length < count; turn += 1) bodies.push(...turnEvents(turn));
  // The last one tells that the turn is over, however much of it there is.
  const events: EventBody[] = [...bodies.slice(0, count - 1), { type: 'turn-end', text: '', reason: 'completed' }];
  const at = Date.now();
  const [result] = store.append([{ sessionId: id, entries: events.map((body) => ({ type: 'event', body, at })) }]);
  store.close();
  if (!result || 'error' in result) throw result?.error ?? new Error('the session was not written');
}

/** A turn reads, searches, edits and explains: 32 events. */
function turnEvents(turn: number): EventBody[] {
  const answer = answerOf(turn);
  return [
    { type: 'turn-start', text: `Make step ${turn} of the import report how far it is, and run its tests.` },
    ...pieces('I look at what is there first. ', 'text-delta'),
    ...callEvents(`read-${turn}`, { name: 'read', displayArg: `src/steps/step-${turn}.ts`, text: sourceOf(turn) }),
    ...callEvents(`list-${turn}`, {
      ...{ name: 'list_jobs', displayArg: 'import', text: '12 jobs', structuredContent: { jobs: jobsOf(turn) } },
    }),
    { type: 'usage', inputTokens: 2000, outputTokens: 120, totalTokens: 2120 },
    ...callEvents(`edit-${turn}`, {
      ...{ name: 'edit', displayArg: `src/steps/step-${turn}.ts`, text: 'edited', metadata: { diff: diffOf(turn) } },
    }),
    ...callEvents(`bash-${turn}`, { name: 'bash', displayArg: 'npm test', text: outputOf(turn) }),
    ...pieces(answer, 'text-delta'),
    { type: 'usage', inputTokens: 4000, outputTokens: 300, totalTokens: 4300 },
    { type: 'turn-end', text: answer, reason: 'completed' },
  ];
}

interface Call extends Partial<Pick<CallRecord, 'structuredContent' | 'metadata'>> {
  readonly name: string;
  readonly displayArg: string;
  readonly text: string;
}

function callEvents(toolCallId: string, { name, displayArg, text, ...rest }: Call): EventBody[] {
  const given = JSON.stringify({ path: displayArg });
  const result: CallRecord = {
    ...{ id: toolCallId, name, plugin: 'builtin', outcome: 'completed', isError: false, durationMs: 42, text },
    ...{ content: [{ type: 'text', text }], ...rest },
  };
  return [
    { type: 'tool-input-delta', toolCallId, name, text: given },
    { type: 'tool-call-start', toolCallId, name, plugin: 'builtin', arguments: given, displayArg },
    { type: 'tool-output-delta', toolCallId, stream: 'stdout', text: `${text.slice(0, 200)}\n` },
    { type: 'tool-call-end', toolCallId, name, outcome: 'completed', result },
  ];
}

function pieces(text: string, type: 'text-delta'): EventBody[] {
  const size = Math.ceil(text.length / 5);
  return Array.from({ length: 5 }, (_, index) => ({ type, text: text.slice(index * size, (index + 1) * size) }));
}

const numbered = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

function sourceOf(turn: number): string {
  return numbered(40, (index) => `  const row${index} = await readRow(${turn}, ${index}, { signal, onProgress });`);
}

function jobsOf(turn: number) {
  return Array.from({ length: 12 }, (_, index) => ({
    ...{
      job: `import-${turn}-${index}`,
      region: index % 2 ? 'eu-west' : 'us-east',
      rows: index * 1733,
      done: index > 3,
    },
  }));
}

function diffOf(turn: number): string {
  const file = `src/steps/step-${turn}.ts`;
  const change = numbered(
    6,
    (index) => `-  rows.push(row${index});\n+  rows.push(row${index});\n+  report(${index}, rows);`,
  );
  const around = numbered(3, (index) => `   const before${index} = ${index};`);
  return `--- a/${file}\n+++ b/${file}\n@@ -1,9 +1,15 @@\n${around}\n${change}\n`;
}

function outputOf(turn: number): string {
  return numbered(30, (index) => ` ok ${index} - step ${turn} reports ${index} of 30 rows (${index * 3} ms)`);
}

function answerOf(turn: number): string {
  return `Step ${turn} **reports** how far it is:\n\n- it calls \`report\` after each row,\n- its tests pass.\n
\`\`\`ts\nawait importRows(${turn}, { onProgress: (done, total) => console.log(done / total) });\n\`\`\`\n
| rows | before | now |\n|---|---|---|\n| 100 | silent | 100 reports |\n| 0 | silent | silent |\n`;
}
