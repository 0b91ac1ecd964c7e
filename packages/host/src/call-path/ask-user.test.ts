import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest, Approver } from './approver.ts';
import { createTestCallPath, eventLog, type TestPlugin } from './fixtures/test-call-path.ts';

const echo = (input: unknown) => JSON.stringify(input);
const ECHO: TestPlugin = { tools: { echo } };
const byDefault = (p: TestPlugin = ECHO, secrets: string[] = []) =>
  createTestCallPath({ plugins: { p }, permissions: {}, secrets });

/** Answers in turn, and keeps what was asked. */
function answering(...answers: unknown[]) {
  const asked: ApprovalRequest[] = [];
  const approve: Approver = async (request) => {
    asked.push(request);
    const answer = answers[asked.length - 1];
    return (typeof answer === 'string' ? { answer, by: 'ann' } : answer) as ApprovalAnswer;
  };
  return { asked, approve };
}

describe('always', () => {
  test('is not asked again, in this session or another; other arguments are', async () => {
    const path = await byDefault();
    const { asked, approve } = answering('always', 'no');
    await path.call('echo', { a: 1 }, { approve });
    expect((await path.call('echo', { a: 1 }, { approve })).outcome).toBe('completed');
    expect((await path.call('echo', { a: 1 }, { approve, session: { id: 'later' } })).outcome).toBe('completed');
    expect(asked).toMatchObject([{ mayBeKept: true }]);
    expect((await path.call('echo', { a: 2 }, { approve })).outcome).toBe('denied');
    expect(path.journal().map(({ rule }) => rule)).toEqual([
      'answered always by ann',
      'kept approval',
      'kept approval',
      'answered no by ann',
    ]);
  });

  test('counts where nobody can be asked', async () => {
    const path = await byDefault();
    await path.call('echo', {}, answering('always'));
    expect((await path.call('echo', {}, { session: { id: 'headless' } })).outcome).toBe('completed');
  });

  test('does not hold against a rule that asks or denies, nor against a hook that asks', async () => {
    const kept = await byDefault();
    await kept.call('echo', {}, answering('always'));
    const home = kept.homeDir;
    const later = { session: { id: 'later' } };
    const withRule = (permissions: object) => createTestCallPath({ plugins: { p: ECHO }, permissions, homeDir: home });
    expect((await (await withRule({})).call('echo', {}, later)).outcome).toBe('completed');
    expect((await (await withRule({ deny: ['echo'] })).call('echo', {}, later)).outcome).toBe('denied');
    expect((await (await withRule({ ask: ['echo'] })).call('echo', {}, later)).outcome).toBe('denied');
    const hooked = await withRule({ allow: ['echo'] });
    hooked.hooks.setPluginHooks({ id: 'h', order: 0 }, [
      { event: 'PreToolUse', run: async () => ({ decision: 'ask', message: 'sure?' }) },
    ]);
    expect((await hooked.call('echo', {}, later)).text).toContain('sure?');
  });

  test('is an answer for the session where a rule asks', async () => {
    const path = await createTestCallPath({ plugins: { p: ECHO }, permissions: { ask: ['echo'] } });
    const { events, onEvent } = eventLog();
    const { asked, approve } = answering('always', 'no');
    await path.call('echo', {}, { approve, onEvent });
    expect(asked).toMatchObject([{ mayBeKept: false }]);
    expect(events.find(({ type }) => type === 'approval-end')).toMatchObject({ answer: 'session' });
    expect((await path.call('echo', {}, { approve })).outcome).toBe('completed');
    expect((await path.call('echo', {}, { approve, session: { id: 'later' } })).outcome).toBe('denied');
  });
});

describe('an answer', () => {
  test.each([
    undefined,
    null,
    'yes',
    'ONCE',
    true,
    {},
    { answer: 'allow' },
    { answer: ['once'] },
    { answer: true },
    { approved: true, by: 'ann' },
  ])('that is not plainly a yes is a no: %j', async (given) => {
    const path = await byDefault();
    const record = await path.call('echo', {}, answering(given));
    expect(record).toMatchObject({ outcome: 'denied', text: expect.stringContaining('once, session, always, no') });
  });

  test('covers what was shown, also when a hook or a preview changes the arguments afterwards', async () => {
    const path = await byDefault({
      ...ECHO,
      runner: { preview: (_tool, input) => void Object.assign(input, { path: 'preview' }) },
    });
    const rewritten: Record<string, unknown> = { path: 'shown' };
    path.hooks.setPluginHooks({ id: 'h', order: 0 }, [
      { event: 'PreToolUse', run: async () => ({ decision: 'allow', updatedInput: rewritten }) },
    ]);
    const approve: Approver = async () => {
      rewritten.path = 'swapped';
      return { answer: 'once', by: 'ann' };
    };
    expect((await path.call('echo', { path: 'x' }, { approve })).text).toBe('{"path":"shown"}');
  });

  test('is asked for each call by itself when the same call is made twice at once', async () => {
    const path = await byDefault();
    const { asked, approve } = answering('once', 'no');
    const records = await Promise.all([path.call('echo', {}, { approve }), path.call('echo', {}, { approve })]);
    expect(records.map(({ outcome }) => outcome)).toEqual(['completed', 'denied']);
    expect(new Set(asked.map(({ approvalId }) => approvalId)).size).toBe(2);
  });
});

describe('a preview', () => {
  const previewed = (preview: (input: object, signal: AbortSignal) => unknown): TestPlugin => ({
    ...ECHO,
    runner: { preview: (_tool, input, { abortSignal }) => preview(input, abortSignal) },
  });
  const shown = async (plugin: TestPlugin, secrets?: string[]) => {
    const path = await byDefault(plugin, secrets);
    const { events, onEvent } = eventLog();
    const { asked, approve } = answering('once');
    expect((await path.call('echo', { a: 1 }, { approve, onEvent })).outcome).toBe('completed');
    const event = events.find(({ type }) => type === 'approval-request');
    expect(event).toMatchObject({ approvalId: asked[0]?.approvalId, arguments: '{"a":1}' });
    expect(event && 'preview' in event ? event.preview : undefined).toBe(asked[0]?.preview);
    return asked[0]?.preview;
  };

  test('is shown before the call runs, made of the final arguments', async () => {
    expect(await shown(previewed((input) => `with ${JSON.stringify(input)}`))).toBe('with {"a":1}');
  });

  test.each([
    ['throws', () => fail()],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['gives no text', () => ({ text: 'x' })],
    ['gives nothing', () => undefined],
    ['gives a blank', () => ' \n'],
  ])('that %s does not keep the question', async (_name, preview) => {
    expect(await shown(previewed(preview))).toBeUndefined();
  });

  test('that takes longer than two seconds is left out and told to stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const began = Promise.withResolvers<AbortSignal>();
      const preview = (_input: object, signal: AbortSignal) => {
        began.resolve(signal);
        return new Promise(() => {});
      };
      const question = shown(previewed(preview));
      const signal = await began.promise;
      await vi.advanceTimersByTimeAsync(1999);
      expect(signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(signal.aborted).toBe(true);
      expect(await question).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not keep a caller that goes away', async () => {
    const controller = new AbortController();
    const preview = () => {
      controller.abort();
      return new Promise(() => {});
    };
    const path = await byDefault(previewed(preview));
    const { events, onEvent } = eventLog();
    const { asked, approve } = answering();
    const record = await path.call('echo', {}, { approve, onEvent, abortSignal: controller.signal });
    expect(record.outcome).toBe('cancelled');
    expect(asked).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['tool-call-start', 'tool-call-end']);
  });

  test('is short, well-formed, and holds no secret', async () => {
    const lines = await shown(previewed(() => 'line\n'.repeat(1000)));
    expect(lines?.split('\n')).toHaveLength(205);
    expect(lines).toMatch(/\n\.\.\. \(797 more lines\)$/);
    expect((await shown(previewed(() => `${'x'.repeat(1_000_000)}\ud83d`)))?.length).toBeLessThan(2100);
    expect(
      await shown(
        previewed(() => 'key sk-1234567 \ud83d'),
        ['sk-1234567'],
      ),
    ).toBe('key [redacted] \ufffd');
  });

  test('is made for nobody when nobody is asked', async () => {
    let made = 0;
    const plugin = previewed(() => String(made++));
    await (await byDefault(plugin)).call('echo');
    await (await createTestCallPath({ plugins: { p: plugin } })).call('echo');
    expect(made).toBe(0);
  });
});

test('an "always" that cannot be kept holds for the session, and is said', async () => {
  const path = await byDefault();
  writeFileSync(join(path.homeDir, 'approvals'), 'in the way');
  const { asked, approve } = answering('always');
  expect((await path.call('echo', {}, { approve })).outcome).toBe('completed');
  expect((await path.call('echo', {}, { approve })).outcome).toBe('completed');
  expect(asked).toHaveLength(1);
  expect(path.warnings).toEqual([expect.stringMatching(/"always" holds for this session only/)]);
});

function fail(): never {
  throw new Error('thrown');
}
