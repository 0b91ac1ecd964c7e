// What tools use of their platform beside the suite's behaviours: the same in a process and in a component.
import { chart, diff, newResultBuilder, syscalls, type ToolCallContext, table, toTool } from '@toolpost/sdk';
import { openFiles } from '@toolpost/sdk/fs';

type Run = (context: ToolCallContext) => unknown;

const pause = (ms: number, value?: unknown) => new Promise((resolve) => setTimeout(resolve, ms, value));

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was thrown',
    (error: Error) => error.message,
  );
}

const runs: Record<string, Run> = {
  async files(context) {
    const files = openFiles(context);
    await files.mkdir('a/b', { recursive: true });
    await files.writeTextFile('a/b/c.txt', 'Zoë 😀\n');
    await files.appendTextFile('a/b/c.txt', 'x'.repeat(10_000));
    const { size, isFile } = await files.stat('a/b/c.txt');
    const listed = await files.readDir('a');
    await files.rename('a/b/c.txt', 'a/d.txt');
    const text = await files.readTextFile('a/d.txt');
    await files.writeFile('a/bytes', Uint8Array.of(0, 255, 128));
    const bytes = [...(await files.readFile('a/bytes'))];
    const there = [await files.exists('a/d.txt'), await files.exists('a/none'), await files.exists('a/d.txt/below')];
    const errors = await Promise.all(
      [files.readTextFile('none'), files.remove('a'), files.readDir('a/d.txt'), files.mkdir('a')].map(messageOf),
    );
    await files.remove('a', { recursive: true });
    return JSON.stringify({
      size,
      isFile,
      listed,
      text: text.length,
      bytes,
      there,
      errors,
      left: await files.exists('a'),
    });
  },
  async outside(context) {
    const files = openFiles(context);
    return messageOf(files.writeTextFile('../elsewhere.txt', ''));
  },
  async order() {
    const order: string[] = [];
    const note = (text: string) => () => void order.push(text);
    setTimeout(note('late'), 30);
    setTimeout(note('soon'), 5);
    const cleared = setTimeout(note('never'), 1);
    clearTimeout(cleared);
    queueMicrotask(note('job'));
    Promise.resolve().then(note('promise'));
    note('now')();
    await pause(60);
    return order.join(' ');
  },
  async iteration() {
    async function* numbers() {
      yield 1;
      await pause(1);
      yield* [2, 3];
    }
    const found: number[] = [];
    for await (const number of numbers()) found.push(number);
    const all = await Promise.all([pause(2, 'a'), 'b', (async () => 'c')()]);
    const settled = await Promise.allSettled([Promise.reject(new Error('x')), 1]);
    const first = await Promise.race([pause(50, 'slow'), pause(1, 'fast')]);
    return JSON.stringify({ found, all, settled: settled.map(({ status }) => status), first });
  },
  async signals() {
    const controller = new AbortController();
    const any = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)]);
    let heard = 0;
    any.addEventListener('abort', () => heard++);
    controller.abort(new Error('enough'));
    return JSON.stringify({ heard, aborted: any.aborted, reason: any.reason.message });
  },
  platform() {
    const bytes = new TextEncoder().encode('é😀');
    const copy = structuredClone({ when: new Date(0), list: [new Map([['a', 1]])] });
    return JSON.stringify({
      bytes: [...bytes],
      text: new TextDecoder().decode(bytes),
      copy: [copy.when.getTime(), copy.list[0]?.get('a')],
      uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
      random: crypto.getRandomValues(new Uint8Array(16)).some((byte) => byte !== 0),
    });
  },
  built: () => newResultBuilder().content('built').metadata('kind', 'note').structuredContent({ n: 1 }).build(),
  media: () => ({
    content: [
      { type: 'image', data: 'AP+A', mimeType: 'image/png' },
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'note:1', mimeType: 'text/plain', text: 'one' } },
      { type: 'resource', resource: { uri: 'note:2', blob: 'AP8=' } },
      { type: 'resource_link', uri: 'note:3', name: 'three', title: 'Three' },
    ],
  }),
  async stores({ storage }) {
    await storage.set('a/2', null);
    await storage.set('a/1', { own: true });
    await storage.shared.set('a/1', ['shared', '😀']);
    await storage.shared.set('b', 1);
    await storage.shared.delete('b');
    return JSON.stringify({
      own: [await storage.keys('a/'), await storage.get('a/1')],
      shared: [await storage.shared.keys(), await storage.shared.get('a/1'), (await storage.shared.get('b')) ?? null],
    });
  },
  throws() {
    throw 'only a text';
  },
  blocks: () =>
    newResultBuilder()
      .content('two cities')
      .block(table({ columns: ['city', 'n'], rows: [{ city: 'Zoë 😀', n: 3 }, ['Rome', 1]] }))
      .block(chart({ kind: 'line', values: [1, null] }))
      .block(diff({ before: 'a', after: 'b' }))
      .build(),
  random: () => String(Math.random()),
  logs(context) {
    console.warn('from console', { n: 1 });
    context.log('from context', 'error');
  },
  spawn: (context) => syscalls.spawn('echo out; echo err >&2; exit 3', context),
};

export const details = Object.entries(runs).map(([name, run]) =>
  toTool({
    name: `detail_${name}`,
    description: `The detail ${name}.`,
    execute: (_input: object, context: ToolCallContext) => run(context),
  }),
);

export const described = toTool({
  name: 'described',
  title: 'Described',
  description: 'Has all that a definition may have.',
  inputSchema: [{ name: 'file', type: 'string', description: 'A file', required: true }],
  outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  annotations: { title: 'Described', readOnlyHint: true, openWorldHint: false },
  primaryArg: 'file',
  ui: { mode: 'genui', param: 'code', libs: ['react'], surface: 'panel' },
  channels: ['web', 'cli'],
  timeout: '1500ms',
  concurrency: 'serial',
  execute: () => 'described',
});
