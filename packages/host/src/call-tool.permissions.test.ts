import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest } from './call-path/approver.ts';
import { createTestCallPath, eventLog } from './call-path/fixtures/test-call-path.ts';

const ECHO = { echo: (input: unknown) => JSON.stringify(input) };
const _COUNT = { echo: { inputSchema: { type: 'object', properties: { count: { type: 'integer' } } } } };

describe('permissions', () => {
  const ask = { yes: false };

  test('without anyone to ask, an ask is a deny that names what would allow it', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const record = await path.call('echo');
    expect(record.outcome).toBe('denied');
    expect(record.text).toMatch(/--allow 'echo'.*--yes/);
  });

  test('the user’s own call is its answer, but a deny rule holds', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: { ...ask, deny: ['echo'] } });
    expect((await path.call('echo', {}, { isUserCall: true })).outcome).toBe('denied');
    const open = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    expect((await open.call('echo', {}, { isUserCall: true })).outcome).toBe('completed');
  });

  test('a yes for once is asked again; one for the session covers these arguments only', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const asked: ApprovalRequest[] = [];
    const answering = (answer: ApprovalAnswer['answer']) => ({
      async approve(request: ApprovalRequest) {
        asked.push(request);
        return { answer, by: 'ann' };
      },
    });
    await path.call('echo', { a: 1 }, answering('once'));
    await path.call('echo', { a: 1 }, answering('session'));
    await path.call('echo', { a: 1 }, answering('no'));
    expect(asked).toHaveLength(2);
    expect((await path.call('echo', { a: 2 }, answering('no'))).outcome).toBe('denied');
    expect((await path.call('echo', { a: 1 }, { ...answering('no'), session: { id: 'other' } })).outcome).toBe(
      'denied',
    );
    expect(asked).toHaveLength(4);
    expect(asked[0]).toMatchObject({ name: 'echo', plugin: 'p', arguments: '{"a":1}', toolCallId: 'c1' });
    expect(path.journal().map(({ rule }) => rule)).toEqual([
      'answered once by ann',
      'answered session by ann',
      'remembered approval',
      'answered no by ann',
      'answered no by ann',
    ]);
  });

  test('the reason of a no reaches the model, the events show question and answer', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const { events, onEvent } = eventLog();
    const record = await path.call(
      'echo',
      {},
      { onEvent, approve: async () => ({ answer: 'no', by: 'ann', reason: 'use grep' }) },
    );
    expect(record.text).toContain('use grep');
    expect(events.map(({ type }) => type)).toEqual([
      'tool-call-start',
      'approval-request',
      'approval-end',
      'tool-call-end',
    ]);
    expect(events[2]).toMatchObject({ answer: 'no', by: 'ann' });
  });

  test('a secret in the arguments is masked in the events, not in what the person is asked', async () => {
    const path = await createTestCallPath({
      plugins: { p: { tools: ECHO } },
      permissions: ask,
      secrets: ['sk-1234567'],
    });
    const { events, onEvent } = eventLog();
    const asked: string[] = [];
    const approve = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
      asked.push(request.arguments);
      return { answer: 'once', by: 'ann' };
    };
    expect((await path.call('echo', { key: 'sk-1234567' }, { onEvent, approve })).outcome).toBe('completed');
    expect(asked).toEqual(['{"key":"sk-1234567"}']);
    expect(JSON.stringify(events)).toContain('[redacted]');
    expect(JSON.stringify(events)).not.toContain('sk-1234567');
  });

  test('a rule holds for each of two files whose names differ in the form of their accents only', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-root-')));
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret', 'key.txt'), 'k');
    writeFileSync(join(root, 'caf\u00e9.txt'), 'harmless');
    symlinkSync('secret/key.txt', join(root, 'cafe\u0301.txt'));
    const definition = {
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      primaryArg: 'path',
    };
    const path = await createTestCallPath({
      plugins: { p: { tools: { open: () => 'opened' }, definitions: { open: definition } } },
      permissions: { deny: ['open(secret/**)'], allow: ['open'] },
    });
    const session = { roots: [root] };
    expect((await path.call('open', { path: 'caf\u00e9.txt' }, { session })).outcome).toBe('completed');
    expect((await path.call('open', { path: 'cafe\u0301.txt' }, { session })).outcome).toBe('denied');
  });

  test('a front end that fails to ask has no yes, and a caller that goes away is not kept', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const broken = await path.call('echo', {}, { approve: () => Promise.reject(new Error('screen is gone')) });
    expect(broken).toMatchObject({ outcome: 'denied', text: expect.stringContaining('screen is gone') });
    const throwing = await path.call('echo', {}, { approve: () => fail() });
    expect(throwing).toMatchObject({ outcome: 'denied', text: expect.stringContaining('thrown') });
    const controller = new AbortController();
    const approve = () => {
      controller.abort();
      return new Promise<ApprovalAnswer>(() => {});
    };
    expect((await path.call('echo', {}, { approve, abortSignal: controller.signal })).outcome).toBe('cancelled');
  });

  test('a deny rule for a folder also holds for a link into it, and for what does not exist there yet', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-root-')));
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret', 'key.txt'), 'k');
    symlinkSync('secret', join(root, 'harmless'));
    const definition = {
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      primaryArg: 'path',
    };
    const path = await createTestCallPath({
      plugins: { p: { tools: { show: ({ path }) => path }, definitions: { show: definition } } },
      permissions: { yes: true, deny: ['show(secret/**)'] },
    });
    const session = { roots: [root] };
    symlinkSync(join(root, 'secret', 'planned.txt'), join(root, 'dangling'));
    for (const link of ['harmless/key.txt', 'harmless/new/file.txt', 'dangling', 'harmless/../harmless/key.txt']) {
      expect((await path.call('show', { path: link }, { session })).outcome).toBe('denied');
    }
    expect((await path.call('show', { path: 'other.txt' }, { session })).outcome).toBe('completed');
  });
});

function fail(): never {
  throw new Error('thrown');
}
