import { plainText } from './terminal-text.ts';

/**
 * A native plugin may throw where no call is there to take it: in a timer, in a promise that nobody awaits, in a listener
 * of an abort. That is no reason to lose the session and everybody else's calls: it is told, and the work goes on.
 */
export function survivePluginErrors(): void {
  const tell = (error: unknown) => {
    process.stderr.write(`toolpost: warning: nobody caught this error of a plugin:\n${plainText(detailOf(error))}\n`);
  };
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
}

function detailOf(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'it cannot be read';
  }
}
