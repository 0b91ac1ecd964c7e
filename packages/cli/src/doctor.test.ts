import { describe, expect, test } from 'vitest';
import { addNative, createTesterWorld, pluginsOf } from './fixtures/tester-plugin.ts';

describe('doctor', () => {
  const world = createTesterWorld();
  const args = (...more: string[]) => ['doctor', ...pluginsOf(world), ...more];

  test('is quiet about what is fine: a line each, and 0', async () => {
    const { status, stdout } = await world.run(args());
    expect(stdout).toMatch(/^Machine\n {2}✓ node: v\d+/);
    expect(stdout).toMatch(/\n {2}✓ tester {2}\(native, .*plugins\/tester\) {2}\d+ of \d+ tools visible\n/);
    expect(stdout).not.toContain('✗');
    expect(status).toBe(0);
  });

  test('names the gate that is closed and the line that opens it, and exits with 1', async () => {
    addNative(world, 'broken', 'throw new Error("out of\\npaper");');
    const people = await world.run(args());
    expect(people.stdout).toMatch(
      /\n {2}✗ broken .*\n {6}✗ not started: .*out of\n {8}paper\n[\s\S]*?-> .*toolpost plugins info broken\n/,
    );
    expect(people.status).toBe(1);
    const { status, stdout } = await world.run(args('--json'));
    const { isFine, plugins } = JSON.parse(stdout);
    expect({ isFine, status }).toEqual({ isFine: false, status: 1 });
    expect(plugins.find(({ id }: { id: string }) => id === 'broken').closed).toMatchObject([{ gate: 'started' }]);
  });
});
