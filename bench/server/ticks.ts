/** What a stream is asked for: lines, the pause before each, and the bytes of each. */
export interface Ticks {
  readonly count: number;
  readonly paceMs: number;
  readonly bytes: number;
}

/** A stream of server-sent events that someone else writes. */
export interface TickStream {
  /** Asks for lines and reads them to the end. Each line is given when it is there, as text. */
  read(ticks: Ticks, onLine: (line: string) => void): Promise<void>;
}

/** Reads one stream after another, or many at once, and keeps how long each line was on its way. */
export async function latenciesOf(stream: TickStream, ticks: Ticks): Promise<number[]> {
  const latencies: number[] = [];
  await stream.read(ticks, (line) => {
    const [sentAt, number] = line.split(' ', 2);
    latencies.push(Number(process.hrtime.bigint() - BigInt(sentAt ?? 0)) / 1e6);
    if (Number(number) !== latencies.length) throw new Error(`line ${latencies.length} was number ${number}`);
  });
  if (latencies.length !== ticks.count) throw new Error(`${latencies.length} of ${ticks.count} lines came`);
  return latencies;
}
