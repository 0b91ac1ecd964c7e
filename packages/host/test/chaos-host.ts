// A host that starts three plugins, has each start sleepers, says its marker, and waits to be killed.
import { hostMarker } from '../src/processes/process-marker.ts';
import { createTestCallContext } from '../src/runtimes/test-contexts.ts';
import { loadTestPlugin } from './load-test-plugin.ts';

const homeDir = process.argv[2] ?? '';
const loaded = await Promise.all([1, 2, 3].map(() => loadTestPlugin('grandchildren', {}, { homeDir })));
for (const { plugin } of loaded) {
  const [tool] = plugin.tools;
  if (tool) await plugin.execute(tool, {}, createTestCallContext({ how: 'daemon' }));
}
console.log(hostMarker());
setInterval(() => {}, 1000);
