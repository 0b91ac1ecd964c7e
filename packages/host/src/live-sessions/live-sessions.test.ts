import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Host } from '../host.ts';
import { answers, bodiesOf, callsTools, createLiveWorld, type LiveWorld } from './fixtures/live-world.ts';
import type { LiveSession } from './live-session.ts';
import { createLiveSessions } from './live-sessions.ts';

let world: LiveWorld;
beforeEach(async () => {
  world = await createLiveWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const typesOf = (events: readonly ToolpostEvent[]) => events.map(({ type }) => type);
const countOf = (events: readonly ToolpostEvent[], type: string) =>
  events.filter((event) => event.type === type).length;
const seqsOf = (events: readonly ToolpostEvent[]) => events.map(({ seq }) => seq);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Resolves with the event once it is in the log. */
async function seen(session: LiveSession, type: ToolpostEvent['type'], afterSeq = 0): Promise<ToolpostEvent> {
  for await (const batch of session.follow({ afterSeq })) {
    const found = batch.find((event) => event.type === type);
    if (found) return found;
  }
  throw new Error(`no ${type}`);
}

/** Everything until the end. */
async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a session', () => {
  it('gives each listener the very events that are stored, numbered through all of its turns', async () => {
    world.script.push(callsTools(['stream', '{}']), answers('One.'), answers('Two.'));
    const session = await world.live.open();
    const heard: ToolpostEvent[] = [];
    session.subscribe({}, (event) => heard.push(event));
    expect(await session.turn('first')).toMatchObject({ reason: 'completed', text: 'One.' });
    await session.turn('second');
    expect(heard).toEqual(session.events());
    expect(seqsOf(heard)).toEqual(upTo(session.lastSeq));
    expect(typesOf(heard).filter((type) => type.startsWith('turn-'))).toEqual([
      'turn-start',
      'turn-end',
      'turn-start',
      'turn-end',
    ]);
    const streamed = heard.flatMap((event) => (event.type === 'tool-output-delta' ? [event.text] : []));
    expect(streamed.join('')).toBe(Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join(''));
    expect(session.usage).toEqual({ inputTokens: 21, outputTokens: 9, totalTokens: 30 });
  });

  it('goes on in the next host with everything that a client shows and the model was told', async () => {
    world.script.push(callsTools(['stream', '{}']), answers('One.'), answers('Two.'));
    const before = await world.live.open({ chatId: 'c', user: 'ann' });
    await before.turn('first\nline');
    const { live } = await world.second();
    const after = await live.open({ chatId: 'c', user: 'ann' });
    expect(after.session).toEqual(before.session);
    expect([after.title, after.model, after.epoch]).toEqual(['first line', world.model, before.epoch]);
    expect([after.usage, after.events(), after.history()]).toEqual([before.usage, before.events(), before.history()]);
    await after.turn('second');
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).toMatch(/first.*stream.*streamed.*One\..*second/);
  });

  it('is the same one for all who open it at once, and one turn runs at a time', async () => {
    world.script.push(answers('One.'), answers('Two.'));
    const [a, b] = await Promise.all([world.live.open({ chatId: 'c' }), world.live.open({ chatId: 'c' })]);
    expect(a).toBe(b);
    await Promise.all([a.turn('first'), b.turn('second')]);
    expect(typesOf(a.events()).filter((type) => type.startsWith('turn-'))).toEqual([
      'turn-start',
      'turn-end',
      'turn-start',
      'turn-end',
    ]);
  });

  it('is not there for another tenant or user', async () => {
    const session = await world.live.open({ tenant: 'acme', user: 'ann', chatId: 'c' });
    const missing = expect.objectContaining({ code: 'SESSION_NOT_FOUND' });
    await expect(world.live.resume(session.session.id, { tenant: 'acme', user: 'bob' })).rejects.toEqual(missing);
    await expect(world.live.resume(session.session.id, { tenant: '', user: 'ann' })).rejects.toEqual(missing);
    await expect(world.live.open({ tenant: 'acme', user: 'bob', chatId: 'c' })).rejects.toEqual(missing);
    expect(await world.live.delete(session.session.id, { tenant: 'acme', user: 'bob' })).toBe(false);
    expect(await world.live.resume(session.session.id, { tenant: 'acme', user: 'ann' })).toBe(session);
  });

  it('says before its first turn that its model is unknown, and with a turn', async () => {
    const session = await world.live.open({ model: 'nonsense' });
    const failed = expect.objectContaining({ code: 'MODEL_FAILED' });
    await expect(session.checkModel()).rejects.toEqual(failed);
    await expect(session.turn('go')).rejects.toEqual(failed);
    expect(session.lastSeq).toBe(0);
    world.script.push(answers('Hi.'));
    expect(await session.turn('go', { model: world.model })).toMatchObject({ text: 'Hi.' });
    expect(session.model).toBe(world.model);
  });

  it('takes another model that is kept with it, and stays with its own where that cannot be used', async () => {
    const session = await world.live.open();
    const before = session.model;
    await expect(session.setModel('nonsense')).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    expect(session.model).toBe(before);
    await session.setModel(world.model);
    const { live } = await world.second();
    expect((await live.resume(session.session.id)).model).toBe(world.model);
    world.script.push(answers('Hi.'));
    expect(await session.turn('go')).toMatchObject({ text: 'Hi.' });
  });

  it('cancels what runs and what waits, each turn with its end in the log', async () => {
    world.script.push(callsTools(['wait', '{}']));
    const session = await world.live.open();
    const turns = [session.turn('first'), session.turn('second')];
    await seen(session, 'tool-output-delta');
    expect([session.openTurns, session.cancel()]).toEqual([2, 2]);
    expect((await Promise.all(turns)).map(({ reason }) => reason)).toEqual(['cancelled', 'cancelled']);
    expect(countOf(session.events(), 'turn-end')).toBe(2);
    expect(session.openTurns).toBe(0);
  });

  it('forgets what was said when it is cleared, and keeps the log', async () => {
    world.script.push(answers('One.'), answers('Two.'));
    const session = await world.live.open();
    await session.turn('a secret plan');
    await session.clear();
    expect(session.history()).toEqual([]);
    await session.turn('second');
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).not.toContain('secret plan');
    expect(typesOf(session.events())).toContain('warning');
    expect(countOf(session.events(), 'turn-start')).toBe(2);
  });

  it('goes on from a summary when it is compacted, and counts what that took', async () => {
    world.script.push(answers('One.'), answers('They spoke of plans.'), answers('Two.'));
    const session = await world.live.open();
    expect(await session.compact()).toBe(false);
    await session.turn('a long plan');
    expect(await session.compact()).toBe(true);
    expect(JSON.stringify(session.history())).toContain('They spoke of plans.');
    await session.turn('second');
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).toMatch(/They spoke of plans.*second/);
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).not.toContain('a long plan');
    expect(session.usage.totalTokens).toBe(30);
  });

  it('keeps its conversation when the model gives no summary', async () => {
    world.script.push(answers('One.'), { status: 400, json: { error: { message: 'no' } } });
    const session = await world.live.open();
    await session.turn('plan');
    const before = session.history();
    expect(await session.compact()).toBe(false);
    expect(session.history()).toEqual(before);
  });

  it('forks into one that goes on by itself', async () => {
    world.script.push(callsTools(['stream', '{}']), answers('One.'), answers('Two.'));
    const session = await world.live.open({ user: 'ann' });
    await session.turn('first');
    const copy = await session.fork();
    expect(copy.session).toMatchObject({ user: 'ann', chatId: copy.session.id });
    expect(bodiesOf(copy.events())).toEqual(bodiesOf(session.events()));
    await copy.turn('second');
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).toMatch(/first.*One\..*second/);
    expect(countOf(session.events(), 'turn-start')).toBe(1);
  });

  it('that is deleted ends for its readers, and its turn is cancelled', async () => {
    world.script.push(callsTools(['wait', '{}']));
    const session = await world.live.open();
    const turn = session.turn('go');
    const reading = allOf(session.follow());
    await seen(session, 'tool-output-delta');
    expect(await world.live.delete(session.session.id)).toBe(true);
    expect((await turn).reason).toBe('cancelled');
    expect(typesOf((await reading).flat()).at(-1)).toBe('turn-end');
    await expect(session.turn('again')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('shows no key in anything that it stores', async () => {
    await world[Symbol.asyncDispose]();
    const environment = { ...process.env, OPENAI_API_KEY: 'sk-1234567' };
    world = await createLiveWorld({}, {});
    const host = await world.open({ environment: { ...environment, TOOLPOST_HOME: world.homeDir } });
    const { live } = await world.second({ host });
    world.script.push(answers('It is sk-1234567.'));
    const session = await live.open();
    await session.turn('what is sk-1234567?');
    expect(JSON.stringify([session.events(), session.history(), session.title])).not.toContain('sk-1234567');
    expect(JSON.stringify(session.history())).toContain('what is [redacted]?');
    await host.close();
  });
});

describe('a reader', () => {
  it('gets the log from any place on, then what comes, without a gap or anything twice', async () => {
    world.script.push(callsTools(['stream', '{}']), answers('One.'), callsTools(['stream', '{}']), answers('Two.'));
    const session = await world.live.open();
    await session.turn('first');
    const middle = session.lastSeq - 3;
    const heard: number[] = [];
    session.subscribe({ afterSeq: middle }, ({ seq }) => heard.push(seq));
    const ending = new AbortController();
    const read: number[] = [];
    const reading = (async () => {
      for await (const batch of session.follow({ afterSeq: middle, abortSignal: ending.signal })) {
        read.push(...seqsOf(batch));
        if (batch.some(({ type, seq }) => type === 'turn-end' && seq > middle + 3)) ending.abort();
      }
    })();
    await session.turn('second');
    await reading;
    const all = upTo(session.lastSeq).filter((seq) => seq > middle);
    expect(heard).toEqual(all);
    expect(read).toEqual(all);
  });

  it('that is slow holds up nobody and still gets everything', async () => {
    world.script.push(callsTools(['stream', '{}']), answers('One.'));
    const session = await world.live.open();
    const reader = session.follow()[Symbol.asyncIterator]();
    const first = await Promise.all([reader.next(), session.turn('go')]);
    const read = [...(first[0].value ?? [])];
    while (read.at(-1)?.type !== 'turn-end') read.push(...((await reader.next()).value ?? []));
    expect(read).toEqual(session.events());
    await reader.return?.();
  });

  it('gives its turn up when another host deletes the session under it', async () => {
    world.script.push(callsTools(['wait', '{}']));
    const session = await world.live.open();
    const turn = session.turn('wait').catch((error: Error) => error);
    await seen(session, 'tool-output-delta');
    const followed = allOf(session.follow());
    const { store } = await world.second();
    store.delete(session.session.id);
    expect(await turn).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect((await followed).flat().at(-1)).toMatchObject({ type: 'tool-output-delta' });
    expect(world.live.openTurns).toBe(0);
  });

  it('sees what another host does in the session, in one numbering, and its turns wait for each other', async () => {
    world.script.push(callsTools(['wait', '{}']), answers('Two.'));
    const here = await world.live.open({ chatId: 'c' });
    const { live } = await world.second();
    const there = await live.open({ chatId: 'c' });
    const first = there.turn('first');
    await seen(here, 'tool-output-delta');
    const second = here.turn('second');
    there.cancel();
    expect((await first).reason).toBe('cancelled');
    expect(await second).toMatchObject({ reason: 'completed', text: 'Two.' });
    const log = here.events();
    expect(seqsOf(log)).toEqual(upTo(log.length));
    expect(typesOf(log).filter((type) => type.startsWith('turn-'))).toEqual([
      'turn-start',
      'turn-end',
      'turn-start',
      'turn-end',
    ]);
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).toMatch(/first.*second/);
    expect(await seen(there, 'turn-end', log.length - 1)).toEqual(log.at(-1));
  });

  it('ends when the host closes, after the turns that are cancelled then', async () => {
    world.script.push(callsTools(['wait', '{}']));
    const session = await world.live.open();
    const turn = session.turn('go');
    const reading = allOf(session.follow());
    await seen(session, 'tool-output-delta');
    await world.live.close();
    expect((await turn).reason).toBe('cancelled');
    expect(typesOf((await reading).flat()).at(-1)).toBe('turn-end');
    await expect(session.turn('again')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    await expect(world.live.open()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  it('sees the end of a turn that is given its time when the host closes', async () => {
    world.script.push(callsTools(['stream', '{}']), answers('One.'));
    const session = await world.live.open();
    const turn = session.turn('go');
    await seen(session, 'tool-output-delta');
    await world.live.close({ graceMs: 60_000 });
    expect(await turn).toMatchObject({ reason: 'completed' });
  });
});

describe('the roots of a session', () => {
  it('are those that it was opened with last, without the ones that are gone, which the turn says', async () => {
    const [other, gone] = ['other', 'gone'].map((name) => join(world.dir, name)) as [string, string];
    for (const folder of [other, gone]) mkdirSync(folder);
    world.script.push(answers('One.'));
    const session = await world.live.open({ chatId: 'c', roots: [gone] });
    expect(await world.live.open({ chatId: 'c', roots: [other, gone] })).toBe(session);
    rmSync(gone, { recursive: true });
    const { live } = await world.second();
    const again = await live.resume(session.session.id);
    await again.turn('go');
    expect(again.session.roots).toEqual([other]);
    expect(again.events()[0]).toMatchObject({ type: 'warning', message: expect.stringContaining(gone) });
  });

  it('that became a link to another place are not granted', async () => {
    const [root, elsewhere] = ['project', 'elsewhere'].map((name) => join(world.dir, name)) as [string, string];
    for (const folder of [root, elsewhere]) mkdirSync(folder);
    world.script.push(answers('One.'));
    const session = await world.live.open({ roots: [root] });
    rmSync(root, { recursive: true });
    symlinkSync(elsewhere, root);
    await session.turn('go');
    expect(session.session.roots).toEqual([]);
  });
});

describe('a fault of the host in a turn', () => {
  it('ends the turn for its clients, and the next turn goes on', async () => {
    world.script.push(answers('One.'));
    const { host, store } = await world.second();
    const broken = withEnricher(host, () => Promise.reject(new Error('a bug')));
    const live = createLiveSessions({ host: broken, store });
    const session = await live.open();
    await expect(session.turn('first')).rejects.toThrow('a bug');
    expect(typesOf(session.events())).toEqual(['turn-start', 'turn-error']);
    await live.close();
    const again = await world.live.resume(session.session.id);
    expect(await again.turn('second')).toMatchObject({ reason: 'completed' });
    expect(JSON.stringify(world.requests.at(-1)?.body.messages)).toMatch(/first.*second/);
  });
});

/** The host with something else in the place of its `enrichContext`. */
function withEnricher(host: Host, enrichContext: Host['enrichContext']): Host {
  const get = (target: Host, key: string | symbol): unknown => {
    if (key === 'enrichContext') return enrichContext;
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  return new Proxy(host, { get });
}
