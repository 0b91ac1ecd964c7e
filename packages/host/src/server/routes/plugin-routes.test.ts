import { expect, test } from 'vitest';
import { ACME_TOKEN, ANN_TOKEN, createServerWorld, TOKEN } from '../fixtures/server-world.ts';

test('each is told whether they may stop a plugin, and that holds', async () => {
  await using world = await createServerWorld({
    prepare(host) {
      host.addProgram('own', ['own_tool']);
      host.addProgram('for_all', ['shared_bell'], { sharedAcrossTenants: true });
    },
    config: { tenants: { acme: { tokens: ['env:ACME_TOKEN'], users: { ann: { tokens: [ANN_TOKEN] } } } } },
  });
  const expected = [
    [TOKEN, { own: true, for_all: true }],
    [ACME_TOKEN, { own: true, for_all: false }],
    [ANN_TOKEN, { own: false, for_all: false }],
  ] as const;
  for (const [token, may] of expected) {
    const client = world.client(token);
    expect((await client.status()).isOperator).toBe(token === TOKEN);
    const plugins = await client.plugins();
    for (const [id, mayStop] of Object.entries(may)) {
      expect(plugins.find((plugin) => plugin.id === id)?.mayStop, `${token} ${id}`).toBe(mayStop);
      const stopped = await client.stopPlugin(id).then(
        () => true,
        () => false,
      );
      expect(stopped, `${token} ${id}`).toBe(mayStop);
    }
  }
});
