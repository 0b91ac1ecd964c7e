import { afterEach, describe, expect, it } from 'vitest';
import { dropJobs, enqueueJob, GuestPromise, runJobs } from './guest-promise.ts';

afterEach(() => void dropJobs());

/** Runs everything and tells how a promise ended. */
function endOf(promise: GuestPromise<unknown>): unknown {
  promise.catch(() => {});
  runJobs((message) => {
    throw new Error(message);
  });
  return [promise.state, promise.value];
}

const THEN = 'then';

/** The work that is checked against Node's own promises. */
type PromiseClass = typeof Promise & {
  /** Not known to the types of ES2024. */
  try<Value, Given extends unknown[]>(work: (...given: Given) => Value, ...given: Given): Promise<Awaited<Value>>;
};
const GUEST = GuestPromise as unknown as PromiseClass;

const PROGRAMS: Record<string, (P: PromiseClass) => PromiseLike<unknown>> = {
  'a chain': (P) => P.resolve(1).then((one) => one + 1),
  'a throw in a handler': (P) =>
    P.resolve(1).then(() => {
      throw new Error('torn');
    }),
  'a caught rejection': (P) => P.reject(new Error('torn')).catch((error: Error) => error.message),
  'a promise of a promise': (P) => new P((resolve) => resolve(new P((inner) => inner(P.resolve('deep'))))),
  'a foreign thenable': (P) => P.resolve({ [THEN]: (resolve: (value: string) => void) => resolve('foreign') }),
  'a thenable that throws': (P) =>
    P.resolve({
      get [THEN]() {
        throw new Error('no then');
      },
    }),
  'a thenable that calls back twice': (P) =>
    P.resolve({
      [THEN](resolve: (value: number) => void) {
        resolve(1);
        resolve(2);
        throw new Error('too late');
      },
    }),
  'an executor that throws': (P) =>
    new P(() => {
      throw new Error('at once');
    }),
  finally: (P) => P.resolve(1).finally(() => 2),
  'finally that throws': (P) =>
    P.resolve(1).finally(() => {
      throw new Error('at last');
    }),
  'finally after a rejection': (P) => P.reject(new Error('torn')).finally(() => 2),
  all: (P) => P.all([1, P.resolve(2), new P((resolve) => resolve(3))]),
  'all of nothing': (P) => P.all([]),
  'all with a rejection': (P) => P.all([1, P.reject(new Error('one of them'))]),
  allSettled: (P) => P.allSettled([1, P.reject(new Error('torn'))]),
  any: (P) => P.any([P.reject(new Error('torn')), P.resolve(2)]),
  'any of rejections': (P) => P.any([P.reject(new Error('torn'))]),
  race: (P) => P.race([new P(() => {}), P.resolve('first')]),
  try: (P) => P.try((a: number, b: number) => a + b, 1, 2),
  'try that throws': (P) =>
    P.try(() => {
      throw new Error('torn');
    }),
  withResolvers: (P) => {
    const { promise, resolve } = P.withResolvers();
    resolve('given');
    return promise;
  },
};

describe('promises in a component', () => {
  it.each(Object.entries(PROGRAMS))("end as Node's do: %s", async (_name, program) => {
    const [theirs] = await Promise.allSettled([program(Promise as PromiseClass)]);
    const expected = theirs.status === 'fulfilled' ? ['fulfilled', theirs.value] : ['rejected', theirs.reason];
    expect(endOf(program(GUEST) as unknown as GuestPromise<unknown>)).toEqual(expected);
  });

  it('call handlers in the order in which they became due, never at once', () => {
    const order: string[] = [];
    const promise = GuestPromise.resolve();
    promise.then(() => order.push('first'));
    enqueueJob(() => order.push('job'));
    promise.then(() => order.push('second')).then(() => order.push('third'));
    order.push('now');
    endOf(promise);
    expect(order).toEqual(['now', 'first', 'job', 'second', 'third']);
  });

  it('refuse to follow themselves', () => {
    const { promise, resolve } = GuestPromise.withResolvers<unknown>();
    resolve(promise);
    expect(endOf(promise)).toEqual(['rejected', new TypeError('a promise cannot be resolved with itself')]);
  });

  it('tell of the rejections that nobody has taken', () => {
    GuestPromise.reject('lost').finally(() => {});
    GuestPromise.reject('taken').catch(() => {});
    runJobs(() => {});
    expect(dropJobs()).toEqual(['lost']);
  });

  it('go on when a job throws', () => {
    const messages: string[] = [];
    let hasRun = false;
    enqueueJob(() => {
      throw new Error('torn');
    });
    enqueueJob(() => {
      hasRun = true;
    });
    runJobs((message) => messages.push(message));
    expect(messages).toEqual(['a job failed: torn']);
    expect(hasRun).toBe(true);
  });
});
