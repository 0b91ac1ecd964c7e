export * from './runtimes/runtime.ts';
