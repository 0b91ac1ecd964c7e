import { exitNow } from './plugin-exit.ts';

/**
 * `toolpost tools | head -1` closes the pipe early, as a person does a window: that is the reader's right and no error. What
 * still runs is cancelled as by SIGTERM, as nobody reads it any more, and ends in order.
 */
export function ignoreClosedOutput(): void {
  let isClosed = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isClosed) return;
      // A full disk: what follows would be lost too. A terminal that is gone says EIO.
      if (error.code !== 'EPIPE' && !(error.code === 'EIO' && stream.isTTY)) {
        if (stream === process.stdout)
          process.stderr.write(`toolpost: the output cannot be written: ${error.message}\n`);
        exitNow(1);
      }
      isClosed = true;
      // Besides the one that ends the process at once; see `exitOnSignals`.
      if (process.listenerCount('SIGTERM') > 1) process.emit('SIGTERM', 'SIGTERM');
      else exitNow(Number(process.exitCode ?? 0));
    });
  }
}
