import { Console } from 'node:console';
import { Writable } from 'node:stream';

/**
 * While the screen is drawn nobody else writes to the terminal: what the host tells, Node warns of or a native plugin logs
 * goes to `show`, line by line, and cannot drive anything there. Returns the end of it.
 */
export function takeStrayOutput(show: (lines: string) => void): () => void {
  const { stderr } = process;
  const { console: before } = globalThis;
  const write = stderr.write;
  const sinks = [lineSink(show), lineSink(show)] as const;
  const [out, err] = sinks;
  globalThis.console = new Console(out, err);
  stderr.write = err.write.bind(err);
  return () => {
    globalThis.console = before;
    stderr.write = write;
    for (const sink of sinks) sink.end();
  };
}

/** Shows whole lines, as many at once as came, and at its end what has none. */
function lineSink(show: (lines: string) => void): Writable {
  let open = '';
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      open += chunk.toString();
      const end = open.lastIndexOf('\n');
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
