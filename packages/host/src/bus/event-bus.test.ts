import { describe, expect, test } from 'vitest';
import { createEventBus, type Sender, type Subscriber } from './event-bus.ts';
import { createMessageQueue, type SentMessage } from './message-queue.ts';

const sender = (more: Partial<Sender> = {}): Sender => ({
  ...{ pluginId: 'p', tenant: '', depth: 0, permits: () => true },
  ...more,
});

function subscriber(pluginId: string, deliver: Subscriber['deliver']): Subscriber & { readonly problems: string[] } {
  const problems: string[] = [];
  return { pluginId, wants: () => true, deliver, onProblem: (problem) => void problems.push(problem), problems };
}

const message = (topic: string, json = '1'): SentMessage => ({ topic, json, from: 'p', tenant: '', depth: 0 });

describe('the bus', () => {
  test('hands over in order, and a subscriber that is slow or throws harms nobody', async () => {
    const bus = createEventBus();
    const heard: string[] = [];
    const never = subscriber('never', () => new Promise(() => {}));
    const broken = subscriber('broken', async () => Promise.reject(new Error('broken')));
    const fine = subscriber('fine', async ({ json }) => void heard.push(json));
    bus.setSubscribers([never, broken, fine]);
    for (let n = 0; n < 100; n++) bus.publish(sender(), 'news', n);
    await expect.poll(() => heard).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
    await expect.poll(() => broken.problems).toHaveLength(100);
    expect(broken.problems[0]).toBe('a message about news from plugin p failed: broken');
    await bus.close();
    await expect.poll(() => never.problems).toEqual([expect.stringContaining('closing')]);
  });

  test('keeps tenants apart: one that is slow for a tenant is not for another', async () => {
    const bus = createEventBus();
    const heard: string[] = [];
    const slow = subscriber('slow', async ({ tenant }) => {
      if (tenant === 'a') await new Promise(() => {});
      heard.push(tenant);
    });
    bus.setSubscribers([slow]);
    for (const tenant of ['a', 'b', 'a', 'b']) bus.publish(sender({ tenant }), 'news', 1);
    await expect.poll(() => heard).toEqual(['b', 'b']);
    await bus.close();
  });

  test('gives what is on its way its time when it closes, and takes no more', async () => {
    const bus = createEventBus();
    const heard: string[] = [];
    bus.setSubscribers([
      subscriber('fine', async ({ json }) => {
        await new Promise(setImmediate);
        heard.push(json);
      }),
    ]);
    for (let n = 0; n < 50; n++) bus.publish(sender(), 'news', n);
    await bus.close();
    expect(heard).toHaveLength(50);
    expect(() => bus.publish(sender(), 'news', 1)).toThrow('closing');
  });

  test.each<[string, unknown, unknown, Partial<Sender>, string]>([
    ['a topic with a star', 'a*', 1, {}, 'a topic must be'],
    ['no topic', undefined, 1, {}, 'a topic must be'],
    ['a topic that is too long', 'x'.repeat(129), 1, {}, 'a topic must be'],
    ['data that is too long', 'a', 'x'.repeat(300_000), {}, 'at most 262144'],
    ['data that is no JSON', 'a', () => 1, {}, 'no JSON'],
    ['a circle of messages', 'a', 1, { depth: 17 }, 'in a circle'],
    ['no permission', 'a', 1, { permits: () => false }, '"bus.plugin"'],
    ['one permission', 'a', 1, { permits: (one) => one === 'bus.plugin' }, '"bus.write"'],
  ])('refuses %s', async (_title, topic, data, more, why) => {
    const bus = createEventBus();
    bus.setSubscribers([subscriber('fine', async () => {})]);
    expect(() => bus.publish(sender(more), topic, data)).toThrow(why);
    await bus.close();
  });
});

describe('a queue', () => {
  test('goes on after a message that is not handled in time, which is told to stop', async () => {
    const problems: string[] = [];
    const heard: string[] = [];
    let isStopped = false;
    const queue = createMessageQueue({
      handlingMs: 20,
      onProblem: (problem) => void problems.push(problem),
      async deliver({ topic }, abortSignal) {
        heard.push(topic);
        if (topic !== 'slow') return;
        await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
        isStopped = true;
      },
    });
    queue.put(message('slow'));
    queue.put(message('next'));
    await queue.whenIdle();
    expect({ heard, isStopped }).toEqual({ heard: ['slow', 'next'], isStopped: true });
    expect(problems).toEqual([expect.stringContaining('not handled within 20 ms')]);
  });

  test.each([
    ['too many', 1500, '1', 1001],
    ['too large', 100, 'x'.repeat(1024 * 1024), 17],
  ])('that has %s messages loses the newest, and says how many', async (_title, count, json, kept) => {
    const problems: string[] = [];
    const gate = Promise.withResolvers<void>();
    let handled = 0;
    const queue = createMessageQueue({
      onProblem: (problem) => void problems.push(problem),
      async deliver() {
        await gate.promise;
        handled += 1;
      },
    });
    for (let n = 0; n < count; n++) queue.put(message('news', json));
    gate.resolve();
    await queue.whenIdle();
    expect(handled).toBe(kept);
    expect(problems).toEqual([expect.stringContaining(`${count - kept} messages of the bus were lost`)]);
  });
});
