/** What a stream is asked for: lines, the pause before each, and the bytes of each. */
export interface Ticks {
  readonly count: number;
  readonly paceMs: number;
  readonly bytes: number;
}

/** A server that sends lines as server-sent events. */
export interface TickServer {
  /** Connects as far as can be done before the lines are asked for. */
  open(): Promise<TickStream>;
}

export interface TickStream {
  /** Asks for lines and reads them to the end, once. Each line is given when it is there, as text. */
  read(ticks: Ticks, onLine: (line: string) => void): Promise<void>;
}

/** How long each line was on its way, in ms, in so many streams at once: all are open before the first line is asked for. */
export async function latenciesOf(server: TickServer, ticks: Ticks, atOnce = 1): Promise<number[]> {
  const streams = await Promise.all(Array.from({ length: atOnce }, () => server.open()));
  return (await Promise.all(streams.map((stream) => latenciesIn(stream, ticks)))).flat();
}

async function latenciesIn(stream: TickStream, ticks: Ticks): Promise<number[]> {
  const latencies: number[] = [];
  await stream.read(ticks, (line) => {
    const [sentAt, number] = line.split(' ', 2);
    latencies.push(Number(process.hrtime.bigint() - BigInt(sentAt ?? 0)) / 1e6);
    if (Number(number) !== latencies.length) throw new Error(`line ${latencies.length} was number ${number}`);
  });
  if (latencies.length !== ticks.count) throw new Error(`${latencies.length} of ${ticks.count} lines came`);
  return latencies;
}
