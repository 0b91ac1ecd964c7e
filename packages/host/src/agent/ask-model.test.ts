import { describe, expect, it } from 'vitest';
import { askModel } from './ask-model.ts';
import { createEventLog } from './fixtures/call-recorder.ts';
import { createScriptedModel, ends, type ScriptedAnswer, says } from './fixtures/scripted-model.ts';
import { sameNames } from './wire-tools.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

function failsWith(error: object): ScriptedAnswer {
  return () => {
    throw Object.assign(new Error('busy'), error);
  };
}

async function ask(answers: ScriptedAnswer[], onSleep: (abort: AbortController) => void = () => undefined) {
  const { model, asked } = createScriptedModel(answers);
  const abort = new AbortController();
  const slept: number[] = [];
  const log = createEventLog();
  const sleep = async (ms: number) => {
    slept.push(ms);
    onSleep(abort);
  };
  const step = await askModel(
    model,
    { prompt: [], abortSignal: abort.signal },
    { names: sameNames, takeCallId: (id) => id, onEvent: log.onEvent, clock: { now: () => now, sleep } },
  );
  return { step, slept, requests: asked.length, log };
}

const ok = [...says('ok'), ends()];

describe('asking a model again', () => {
  it.each([
    ['429', { statusCode: 429 }],
    ['503', { statusCode: 503 }],
    ['a refused connection', { cause: { code: 'ECONNREFUSED' } }],
    ['an overloaded answer', { type: 'overloaded_error' }],
  ])('happens after %s, and is announced', async (_, error) => {
    const { step, requests, log } = await ask([failsWith(error), ok]);
    expect(step.text).toBe('ok');
    expect(requests).toBe(2);
    expect(log.events[0]).toMatchObject({ type: 'warning', message: expect.stringMatching(/busy.*Trying again in/) });
  });

  it('waits longer each time and gives up after four attempts', async () => {
    const { step, slept, requests } = await ask([failsWith({ statusCode: 500 })]);
    expect(step.end.kind).toBe('failed');
    expect(requests).toBe(4);
    for (const [index, base] of [500, 1000, 2000].entries()) {
      expect(slept[index]).toBeGreaterThanOrEqual(base * 0.75);
      expect(slept[index]).toBeLessThanOrEqual(base * 1.25);
    }
  });

  it.each([
    [{ 'retry-after': '7' }, [7000]],
    [{ 'retry-after-ms': '1500' }, [1500]],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, [9000]],
    [{ 'retry-after': '3600' }, []],
  ])('respects %j', async (responseHeaders, expected) => {
    const { slept } = await ask([failsWith({ statusCode: 429, responseHeaders }), ok]);
    expect(slept).toEqual(expected);
  });

  it.each([{ statusCode: 401 }, { statusCode: 400 }, { statusCode: 429, message: 'You exceeded your current quota' }])(
    'does not happen after %j',
    async (error) => {
      expect((await ask([failsWith(error), ok])).requests).toBe(1);
    },
  );

  it('does not happen once a part of the answer was shown', async () => {
    const cut: ScriptedAnswer = function* () {
      yield* says('Hal');
      throw Object.assign(new TypeError('terminated'), { statusCode: 503 });
    };
    const { step, requests } = await ask([cut, ok]);
    expect(requests).toBe(1);
    expect(step).toMatchObject({ text: 'Hal', end: { kind: 'failed' } });
  });

  it('happens when a stream was cut before anything was shown', async () => {
    expect((await ask([[], ok])).step.text).toBe('ok');
  });

  it('ends at once when it is cancelled while waiting', async () => {
    const { step, requests } = await ask([failsWith({ statusCode: 500 }), ok], (abort) => abort.abort());
    expect(step.end.kind).toBe('cancelled');
    expect(requests).toBe(1);
  });
});
