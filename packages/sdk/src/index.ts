export * from './tool-call-context.ts';
