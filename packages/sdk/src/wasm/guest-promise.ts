/**
 * Promises whose jobs are run by us. QuickJS runs its own only after an asynchronous export, which the plugin's world has
 * none of; so `toolpost build` writes async functions as generators, and these stand in the place of `Promise`.
 */
import { errorMessage } from '../results/to-tool-result.ts';

type Job = () => void;
type Settle<T> = (value: T) => void;
type State = 'pending' | 'fulfilled' | 'rejected';

/** A class with this member is awaited wherever it appears, which is what this one is for. */
const THEN = 'then';

let jobs: Job[] = [];
const unhandled = new Set<{ readonly value: unknown }>();

export function enqueueJob(job: Job): void {
  jobs.push(job);
}

/** Runs all jobs, those too that they enqueue. A job that throws, as a callback of queueMicrotask may, stops none. */
export function runJobs(onError: (message: string) => void): void {
  while (jobs.length > 0) {
    const round = jobs;
    jobs = [];
    for (const job of round) {
      try {
        job();
      } catch (error) {
        onError(`a job failed: ${errorMessage(error)}`);
      }
    }
  }
}

/** Forgets the jobs that are left, and gives the reasons of rejections that nobody has taken. */
export function dropJobs(): unknown[] {
  jobs = [];
  const reasons = [...unhandled].map(({ value }) => value);
  unhandled.clear();
  return reasons;
}

/** A promise by the rules of ECMAScript; the private parts are plain fields, which cost QuickJS least. */
export class GuestPromise<T> implements PromiseLike<T> {
  state: State = 'pending';
  value: unknown;
  private reactions: Job[] | undefined = [];

  constructor(executor: (resolve: Settle<T | PromiseLike<T>>, reject: Settle<unknown>) => void) {
    if (typeof executor !== 'function') throw new TypeError('Promise resolver is not a function');
    const { resolve, reject } = this.settlers();
    try {
      executor(resolve, reject);
    } catch (error) {
      reject(error);
    }
  }

  get [Symbol.toStringTag](): string {
    return 'Promise';
  }

  [THEN]<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): GuestPromise<A | B> {
    unhandled.delete(this);
    return new GuestPromise<A | B>((resolve, reject) => {
      this.react(() => {
        const handler = this.state === 'fulfilled' ? onFulfilled : onRejected;
        if (typeof handler !== 'function') {
          if (this.state === 'fulfilled') resolve(this.value as A);
          else reject(this.value);
          return;
        }
        try {
          resolve((handler as (value: unknown) => A | PromiseLike<A>)(this.value));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): GuestPromise<T | B> {
    return this.then(undefined, onRejected);
  }

  finally(onSettled?: (() => void) | null): GuestPromise<T> {
    if (typeof onSettled !== 'function') return this.then();
    return this.then(
      (value) => GuestPromise.resolve(onSettled()).then(() => value),
      (reason: unknown) =>
        GuestPromise.resolve(onSettled()).then(() => {
          throw reason;
        }),
    );
  }

  private react(job: Job): void {
    if (this.reactions) this.reactions.push(job);
    else enqueueJob(job);
  }

  private settle(state: State, value: unknown): void {
    const reactions = this.reactions ?? [];
    this.reactions = undefined;
    this.state = state;
    this.value = value;
    if (state === 'rejected' && reactions.length === 0) unhandled.add(this);
    for (const job of reactions) enqueueJob(job);
  }

  /** Functions of which the first that is called decides. */
  private settlers(): { resolve: Settle<T | PromiseLike<T>>; reject: Settle<unknown> } {
    let isDecided = false;
    const once = (decide: (value: unknown) => void) => (value: unknown) => {
      if (isDecided) return;
      isDecided = true;
      decide(value);
    };
    return {
      resolve: once((value) => this.adopt(value)),
      reject: once((reason) => this.settle('rejected', reason)),
    };
  }

  /** Fulfils with a value, or follows it when it is a promise of any make. */
  private adopt(value: unknown): void {
    if (value === this) this.settle('rejected', new TypeError('a promise cannot be resolved with itself'));
    else if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
      this.settle('fulfilled', value);
    } else this.follow(value);
  }

  private follow(value: object): void {
    let then: unknown;
    try {
      then = Reflect.get(value, 'then');
    } catch (error) {
      this.settle('rejected', error);
      return;
    }
    if (typeof then !== 'function') {
      this.settle('fulfilled', value);
      return;
    }
    const follow = then;
    enqueueJob(() => {
      const { resolve, reject } = this.settlers();
      try {
        follow.call(value, resolve, reject);
      } catch (error) {
        reject(error);
      }
    });
  }

  static resolve<T>(value?: T | PromiseLike<T>): GuestPromise<T> {
    return value instanceof GuestPromise ? value : new GuestPromise((resolve) => resolve(value as T));
  }

  static reject(reason?: unknown): GuestPromise<never> {
    return new GuestPromise((_resolve, reject) => reject(reason));
  }

  static withResolvers<T>(): {
    promise: GuestPromise<T>;
    resolve: Settle<T | PromiseLike<T>>;
    reject: Settle<unknown>;
  } {
    const { promise, ...settlers } = newResolvers<T>();
    return { promise, ...settlers };
  }

  static try<T, Args extends unknown[]>(run: (...args: Args) => T | PromiseLike<T>, ...args: Args): GuestPromise<T> {
    return new GuestPromise((resolve) => resolve(run(...args)));
  }

  static race<T>(values: Iterable<T | PromiseLike<T>>): GuestPromise<T> {
    return new GuestPromise((resolve, reject) => {
      for (const value of values) GuestPromise.resolve(value).then(resolve, reject);
    });
  }

  static all<T>(values: Iterable<T | PromiseLike<T>>): GuestPromise<T[]> {
    return new GuestPromise((resolve, reject) => {
      gather(values, resolve, (promise, keep) => promise.then(keep, reject));
    });
  }

  static allSettled<T>(values: Iterable<T | PromiseLike<T>>): GuestPromise<PromiseSettledResult<T>[]> {
    return new GuestPromise((resolve) => {
      gather<T, PromiseSettledResult<T>>(values, resolve, (promise, keep) =>
        promise.then(
          (value) => keep({ status: 'fulfilled', value }),
          (reason: unknown) => keep({ status: 'rejected', reason }),
        ),
      );
    });
  }

  static any<T>(values: Iterable<T | PromiseLike<T>>): GuestPromise<T> {
    return new GuestPromise((resolve, reject) => {
      const fail = (reasons: unknown[]): void => reject(new AggregateError(reasons, 'All promises were rejected'));
      gather<T, unknown>(values, fail, (promise, keep) => promise.then(resolve, keep));
    });
  }
}

function newResolvers<T>() {
  let resolve: Settle<T | PromiseLike<T>> = () => {};
  let reject: Settle<unknown> = () => {};
  const promise = new GuestPromise<T>((...given) => {
    [resolve, reject] = given;
  });
  return { promise, resolve, reject };
}

/** Collects one value for each promise, in their order, and gives the list when all are there. */
function gather<T, Kept>(
  values: Iterable<T | PromiseLike<T>>,
  whenAll: (kept: Kept[]) => void,
  watch: (promise: GuestPromise<T>, keep: (value: Kept) => void) => void,
): void {
  const kept: Kept[] = [];
  let left = 1;
  const count = (): void => {
    left -= 1;
    if (left === 0) whenAll(kept);
  };
  let index = 0;
  for (const value of values) {
    const place = index++;
    left += 1;
    watch(GuestPromise.resolve(value), (one) => {
      kept[place] = one;
      count();
    });
  }
  count();
}
