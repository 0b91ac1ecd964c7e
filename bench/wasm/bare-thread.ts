import { Worker } from 'node:worker_threads';

const FILE = new URL('../children/echo-thread.js', import.meta.url);

/** A thread that gives back the messages it gets: the least that a call in another thread can cost. */
export class BareThread {
  readonly #worker = new Worker(FILE);
  readonly #waiting: ((message: string) => void)[] = [];

  /** Resolves when it has answered once. */
  static async start(): Promise<BareThread> {
    const thread = new BareThread();
    await thread.send('start');
    return thread;
  }

  private constructor() {
    this.#worker.on('message', (message: string) => this.#waiting.shift()?.(message));
  }

  /** One message there and back. After `loop` the thread is busy for ever. */
  send(message: string): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
