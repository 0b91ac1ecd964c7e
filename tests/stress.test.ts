import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
interface Step {
  readonly variable: string;
  readonly files: readonly string[];
}

/** As tests read how often they are to run; seeds say which run it is, not how long. */
const COUNT = /process\.env\.(TOOLPOST_(?!\w*SEED)\w+) \?\? '?[\d_]+/g;

test('npm run stress sets every number that tests take from the environment, for the files that take it', () => {
  const files = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root });
  const taken = files.flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(COUNT)].map(([, name]) => `${name} ${file}`),
  );
  const plan: Step[] = JSON.parse(readFileSync(`${root}/scripts/stress-plan.json`, 'utf8'));
  const planned = plan.flatMap(({ variable, files }) => files.map((file) => `${variable} ${file}`));
  expect(planned.toSorted()).toEqual([...new Set(taken)].toSorted());
});
