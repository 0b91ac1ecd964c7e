import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CallRecord, Session } from '@toolpost/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutputFiles } from '../call-path/output-files.ts';
import { outputFolder } from '../settings/file-names.ts';
import { createSessionStore } from './create-session-store.ts';
import { deleteSession } from './delete-session.ts';
import { createStoreHome, event, newSession } from './fixtures/open-store.ts';
import type { SessionStore } from './session-store.ts';

let homeDir: string;
let store: SessionStore;
let files: ReturnType<typeof createOutputFiles>;
beforeEach(() => {
  homeDir = createStoreHome();
  store = createSessionStore(homeDir);
  files = createOutputFiles(homeDir, (message) => expect.unreachable(message));
});
afterEach(() => {
  store.close();
  rmSync(homeDir, { recursive: true, force: true });
});

/** A session in which one call's text was capped, with the path of the whole one. */
function withOutput(session: Session): string {
  store.create(session);
  const path = files.keep({ session, callId: 'a "call"', extension: 'txt' }, 'the whole text') ?? '';
  const text = `the whole ... the rest is in ${path}`;
  const common = { name: 'novel', plugin: 'p', outcome: 'completed', isError: false } as const;
  const result: CallRecord = {
    ...{ id: 'a', ...common, content: [{ type: 'text', text }], text },
    ...{ metadata: { fullOutput: path }, durationMs: 1 },
  };
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text: `I see ${path} and ${path}` }] };
  const end = event({ type: 'tool-call-end', toolCallId: 'a', name: 'novel', outcome: 'completed', result });
  store.append([{ sessionId: session.id, entries: [end, { type: 'message', message }] }]);
  return path;
}

it('a copy has the whole texts too, under its own name, also when the first session is deleted', async () => {
  const session = newSession({ tenant: 'acme', channel: 'web', user: 'ann' });
  const path = withOutput(session);
  const { session: copy } = await store.fork(session.id, newSession().id);
  deleteSession(store, session.id);
  const kept = [...store.events(copy.id), ...store.history(copy.id)];
  const [own = ''] = new Set(JSON.stringify(kept).match(/[^ "]*cache[^ "]*\.txt/g));
  expect(JSON.stringify(kept).split(own)).toHaveLength(6);
  expect(JSON.stringify(kept)).not.toContain(path);
  expect(dirname(own)).toBe(outputFolder(homeDir, copy));
  expect(files.isOwn(own, copy)).toBe(true);
  expect(readFileSync(own, 'utf8')).toBe('the whole text');
});

it('a copy of a session leaves the names of other sessions as they are', async () => {
  const [first, second] = [newSession({ id: 'plan' }), newSession({ id: 'plan-b' })];
  const path = withOutput(second);
  store.create(first);
  store.append([{ sessionId: first.id, entries: [event({ type: 'warning', message: `see ${path}` })] }]);
  const { session: copy } = await store.fork(first.id, newSession().id);
  expect(store.events(copy.id)).toMatchObject([{ message: `see ${path}` }]);
  expect(readdirSync(dirname(dirname(path)))).toEqual(['plan-b']);
});

it('a copy whose whole texts cannot be copied is refused, and nothing of it is kept', async () => {
  const session = newSession();
  withOutput(session);
  const copy = newSession();
  writeFileSync(outputFolder(homeDir, copy), 'in the way');
  await expect(store.fork(session.id, copy.id)).rejects.toThrow(
    /whole outputs of a session cannot be copied to .*EEXIST/,
  );
  expect(store.get(copy.id)).toBeUndefined();
});
