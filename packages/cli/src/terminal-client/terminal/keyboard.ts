import { PassThrough } from 'node:stream';
import { createPasteWatch } from './paste-watch.ts';

/** What a person types, as the terminal sends it, but for pastes, which always end. */
export type Keyboard = PassThrough & {
  readonly isTTY: true;
  setRawMode(isRaw: boolean): void;
  /** Whether it keeps the process alive. */
  ref(): void;
  unref(): void;
  /** Nothing more comes. */
  close(): void;
};

export function createKeyboard(stdin: NodeJS.ReadStream): Keyboard {
  const keys = new PassThrough();
  const watch = createPasteWatch((text) => void keys.write(text));
  const onData = (chunk: string | Buffer) => watch.take(chunk.toString());
  // A character may come in pieces.
  stdin.setEncoding('utf8');
  stdin.on('data', onData);
  // Whoever has asked something before, such as for trust, has paused it.
  stdin.resume();
  return Object.assign(keys, {
    isTTY: true as const,
    setRawMode: (isRaw: boolean) => void stdin.setRawMode(isRaw),
    ref: () => void stdin.ref(),
    unref: () => void stdin.unref(),
    close() {
      watch.close();
      stdin.off('data', onData);
      stdin.pause();
    },
  });
}
