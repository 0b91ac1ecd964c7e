import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { INTERFACE_TOOLS } from './interface-tools.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const CRASHING = `
export default function App() {
  const [count, setCount] = useState(0);
  if (count === 2) throw new Error('two is too much');
  return <button onClick={() => setCount(count + 1)}>Pressed {count} times</button>;
}`;

describe.skipIf(chromiumPath === undefined)(`an interface that crashes while it is used${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('says so and begins anew, and is given up when it crashes again', async () => {
    await using world = await createWebWorld(browser, {
      plugins: { drawings: INTERFACE_TOOLS },
      script: [calls(['show_genui', { code: CRASHING }]), says('Drawn.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Draw.');
    await logOf(page).getByText('Drawn.').waitFor();
    const frame = card(page, 'show_genui').frameLocator('iframe');
    const alert = card(page, 'show_genui').getByRole('alert');
    const pressTwice = async () => {
      await frame.getByRole('button', { name: 'Pressed 0 times' }).click();
      await frame.getByRole('button', { name: 'Pressed 1 times' }).click();
    };
    await pressTwice();
    await alert.getByText('Something in this interface failed: two is too much').waitFor();
    await pressTwice();
    await alert.getByText('This interface could not be drawn: two is too much').waitFor();
  });
});
