import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callIn, createHostWorld } from './fixtures/host-world.ts';
import { open } from './fixtures/open-host.ts';

describe('what a command had printed stands in the result', () => {
  test('when its own timeout ends it: the outcome is timed-out', async () => {
    const { host, session } = await open(createHostWorld());
    const record = await callIn(host, session, 'bash', { command: 'echo before; sleep 100', timeout: 1500 });
    expect(record).toMatchObject({ outcome: 'timed-out', isError: true, metadata: { timedOut: true, outputBytes: 7 } });
    expect(record.text).toMatch(/^before\n\nThe command was stopped after 1\.5s with all it had started; /);
  });

  test("when the call's deadline ends it", async () => {
    const { host, session } = await open(createHostWorld());
    const record = await callIn(host, session, 'bash', { command: 'echo before; sleep 100' }, { timeoutMs: 1500 });
    expect(record).toMatchObject({ outcome: 'timed-out', isError: true, metadata: { timedOut: true, outputBytes: 7 } });
    expect(record.text).toMatch(/^before\n\nThe tool bash timed out: its time limit is 1\.5s\. It was stopped/);
  });

  test('when its caller cancels it, and the file of a long output is whole', async () => {
    const { host, session } = await open(createHostWorld());
    const abort = new AbortController();
    let printed = '';
    const record = await callIn(
      host,
      session,
      'bash',
      { command: 'seq 30000; printf "\\360\\237"; sleep 100' },
      {
        abortSignal: abort.signal,
        onEvent(event) {
          if (event.type !== 'tool-output-delta') return;
          printed += event.text;
          if (printed.endsWith('\n30000\n')) abort.abort();
        },
      },
    );
    expect(record).toMatchObject({ outcome: 'cancelled', isError: true });
    expect(record.text).toMatch(/^1\n2\n.*\n30000\n.*The call of bash was cancelled\./s);
    expect(record.metadata).not.toHaveProperty('timedOut');
    const { fullOutput, fullOutputBytes } = record.metadata ?? {};
    await expect.poll(() => readFileSync(String(fullOutput)).length).toBe(fullOutputBytes);
    expect(readFileSync(String(fullOutput), 'utf8')).toMatch(/^1\n2\n.*\n30000\n/s);
  });

  test('of which there is none when it printed nothing', async () => {
    const { host, session } = await open(createHostWorld());
    const record = await callIn(host, session, 'bash', { command: 'sleep 100' }, { timeoutMs: 500 });
    expect(record.text).toMatch(/^The tool bash timed out/);
  });
});
