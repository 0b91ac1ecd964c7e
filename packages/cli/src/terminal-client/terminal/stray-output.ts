import { Console } from 'node:console';
import { Writable } from 'node:stream';

/** What has no line end by then is shown all the same. */
const MAX_OPEN_CHARS = 10_000;

/** The terminal, while the client draws on it. */
export interface OwnScreen {
  /** Writes to the terminal, as nobody else can. */
  readonly screen: NodeJS.WriteStream;
  /** Everybody can again. */
  giveBack(): void;
}

/**
 * While the screen is drawn nobody else writes to the terminal: what the host tells, Node warns of, or a native plugin logs
 * or writes, goes to `show`, line by line, and cannot drive anything there. What is written to the file descriptor itself,
 * by `fs.writeSync` or by a child that inherits it, cannot be taken.
 */
export function takeStrayOutput(show: (lines: string) => void): OwnScreen {
  const { stdout, stderr } = process;
  const { console: before } = globalThis;
  const [writeOut, writeErr] = [stdout.write, stderr.write];
  const sinks = [lineSink(show), lineSink(show)] as const;
  const [out, err] = sinks;
  const screen = writingBy(stdout, writeOut);
  globalThis.console = new Console(out, err);
  stdout.write = out.write.bind(out);
  stderr.write = err.write.bind(err);
  return {
    screen,
    giveBack() {
      globalThis.console = before;
      stdout.write = writeOut;
      stderr.write = writeErr;
      for (const sink of sinks) sink.end();
    },
  };
}

/** The same stream, with its own way to write: its size, its events and its state are the stream's. */
function writingBy(stream: NodeJS.WriteStream, write: NodeJS.WriteStream['write']): NodeJS.WriteStream {
  const own = write.bind(stream);
  return new Proxy(stream, {
    get(target, key) {
      if (key === 'write') return own;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Shows whole lines, as many at once as came, and at its end what has none. */
function lineSink(show: (lines: string) => void): Writable {
  let open = '';
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      open += chunk.toString();
      const end = open.length > MAX_OPEN_CHARS ? open.length : open.lastIndexOf('\n');
      if (end !== -1) show(open.slice(0, end));
      open = open.slice(end + 1);
      done();
    },
    final(done) {
      if (open !== '') show(open);
      done();
    },
  });
}
