import { afterEach, describe, it } from 'vitest';
import { CONFORMANCE } from '../src/runtimes/conformance.ts';
import { type LoadedTestPlugin, loadTestPlugin } from './load-test-plugin.ts';

interface Subject {
  name: string;
  load(): Promise<LoadedTestPlugin>;
  /** Titles that do not hold, with the reason. */
  skips: Record<string, string>;
}

const NO_STREAM = 'version 1 has one answer a call and nothing before it';
const NO_REQUESTS = 'a version 1 plugin cannot ask the host';
const ONE_CALL = 'version 1 has one call in flight';
const TEXT_ONLY = 'a version 1 result is text';

const SUBJECTS: Subject[] = [
  {
    name: 'stdio, version 1',
    load: () => loadTestPlugin('conformance-v1'),
    skips: {
      'carries structured content and metadata': TEXT_ONLY,
      'carries several blocks and the error flag': TEXT_ONLY,
      'streams output of both streams in order': NO_STREAM,
      'reports progress': NO_STREAM,
      'tells the tool when its call is cancelled': 'a version 1 plugin is ended instead',
      'tells the tool when its call is past its deadline': 'a version 1 plugin is ended instead',
      'leaves the neighbours of a given-up call alone': ONE_CALL,
      'runs calls at the same time': ONE_CALL,
      'carries the session and the roots to the tool': 'version 1 sends no context',
      "gives the tool the plugin's settings": NO_REQUESTS,
      "keeps values in the call's storage": NO_REQUESTS,
      "asks the session's user": NO_REQUESTS,
      'refuses storage in the name of a call that is not in flight': NO_REQUESTS,
    },
  },
  {
    name: 'stdio, version 2',
    load: () => loadTestPlugin('conformance-v2', {}, { settings: { unit: 'C' } }),
    skips: {},
  },
];

describe.each(SUBJECTS)('$name', ({ load, skips }) => {
  let loaded: LoadedTestPlugin | undefined;

  afterEach(async () => {
    await loaded?.plugin.close();
    loaded = undefined;
  });

  for (const { title, run } of CONFORMANCE) {
    const reason = skips[title];
    it(title, async (test) => {
      test.skip(reason !== undefined, reason);
      loaded = await load();
      await run(loaded);
    });
  }

  it('skips only what the suite has', ({ expect }) => {
    const titles = new Set(CONFORMANCE.map(({ title }) => title));
    expect(Object.keys(skips).filter((title) => !titles.has(title))).toEqual([]);
  });
});
