import { addTimer, removeTimer } from './event-loop.ts';
import { GuestAbortController, GuestAbortSignal } from './guest-abort.ts';
import { guestClone } from './guest-clone.ts';
import { guestConsole } from './guest-console.ts';
import { enqueueJob, GuestPromise } from './guest-promise.ts';
import { guestCrypto } from './guest-random.ts';
import { GuestTextDecoder, GuestTextEncoder } from './text-coding.ts';

type Callback = (...args: unknown[]) => void;

const timer =
  (kind: 'once' | 'repeated') =>
  (callback: Callback, ms = 0, ...args: unknown[]): number =>
    addTimer(() => callback(...args), ms, kind);

// What programs expect of every JavaScript platform and QuickJS leaves to its host. This module is evaluated before any
// other of the component.
Object.assign(globalThis, {
  Promise: GuestPromise,
  queueMicrotask: enqueueJob,
  setTimeout: timer('once'),
  setInterval: timer('repeated'),
  setImmediate: (callback: Callback, ...args: unknown[]) => addTimer(() => callback(...args), 0, 'once'),
  clearTimeout: removeTimer,
  clearInterval: removeTimer,
  clearImmediate: removeTimer,
  AbortController: GuestAbortController,
  AbortSignal: GuestAbortSignal,
  TextEncoder: GuestTextEncoder,
  TextDecoder: GuestTextDecoder,
  structuredClone: guestClone,
  console: guestConsole,
  crypto: guestCrypto,
});
// It would give a promise of the engine's own, whose jobs never run.
Reflect.deleteProperty(Array, 'fromAsync');
