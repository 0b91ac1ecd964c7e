import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN_TOKEN } from '../../host/src/server/fixtures/server-world.ts';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { feedEvents } from './feed-events.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const SCRIPTS = '<script>window.stolen = 1</script><img src="https://evil.example/x.png" onerror="window.stolen = 1">';
const MARKDOWN = [
  SCRIPTS,
  '[click](javascript:alert(1)) [data](data:text/html;base64,PHNjcmlwdD4=) ![pixel](https://evil.example/pixel.png)',
  '[https://bank.example](https://evil.example/login)',
  '<style>body { display: none }</style><iframe src="https://evil.example"></iframe>',
  '<a href="https://evil.example" onclick="window.stolen = 1">raw</a>',
  '```html\n<b>code</b>\n```',
].join('\n\n');
/** Title, clipboard, colours, cursor, an unended string, C1, CR that hides, bidi that turns around. */
const ESCAPES =
  '\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b[31mred\u001b[0m\u001b[2J\u001b[1;1H\u009b31mc1\u001bPq#0\u001b\\good\rhidden\nabc\u202egpj.exe';

describe.skipIf(chromiumPath === undefined)(`hostile text in the browser${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  const isUntouched = (page: Page) => page.evaluate('[window.stolen === undefined, document.title]');

  it('runs no script of a model or a tool, loads nothing from elsewhere, and says where links lead', async () => {
    await using world = await createWebWorld(browser, {
      script: [
        calls(['show_text', { text: MARKDOWN }], ['show_markdown', { text: MARKDOWN }]),
        says(MARKDOWN, '\n\nThe end.'),
      ],
    });
    const { page } = await world.openSession();
    await say(page, SCRIPTS);
    await logOf(page).getByText('The end.').waitFor();
    expect((await isUntouched(page)) as unknown[]).toMatchObject([true, expect.stringContaining('Toolpost')]);
    const said = page.locator('.markdown').last();
    for (const tag of ['script', 'style', 'iframe', 'img', '[onclick]', '[onerror]'])
      expect(await logOf(page).locator(tag).count(), tag).toBe(0);
    expect(await said.getByText('window.stolen = 1').count()).toBeGreaterThan(0);
    const links = await said
      .getByRole('link')
      .evaluateAll((all) =>
        all.map((link) => `${link.textContent} -> ${link.getAttribute('href')} ${link.getAttribute('rel')}`),
      );
    expect(links).toEqual([
      'pixel (evil.example) -> https://evil.example/pixel.png noopener noreferrer nofollow',
      'https://bank.example (evil.example) -> https://evil.example/login noopener noreferrer nofollow',
    ]);
    expectQuiet(world);
  });

  it('shows output, errors and titles without what drives terminals, and questions with it spelled out', async () => {
    await using world = await createWebWorld(browser, {
      script: [calls(['show_text', { text: ESCAPES }], ['deploy', { service: `shop${ESCAPES}` }])],
    });
    const { page } = await world.openSession();
    await say(page, `Title ${ESCAPES}`);
    const question = card(page, 'deploy');
    await question.getByRole('button', { name: 'Allow once' }).waitFor();
    await card(page, 'show_text').locator('.result').getByText('hidden').waitFor();
    const shown = await card(page, 'show_text').locator('.result').textContent();
    expect(shown).toBe('hidden\nabc\u202egpj.exe');
    expect(await page.evaluate("getComputedStyle(document.querySelector('.plain')).unicodeBidi")).toBe('isolate');
    const asked = (await question.locator('.code-block code').textContent()) ?? '';
    expect(asked).toContain('\\u{202e}');
    expect(asked).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(await page.title()).not.toMatch(/[\u0000-\u001f]/);
    expect(await page.title()).toContain('Toolpost');
    expectQuiet(world);
  });

  it('goes on when one part of it cannot be shown', async () => {
    await using world = await createWebWorld(browser);
    const { page, id } = await world.openSession();
    const broken = { id: 'c', name: 'odd', plugin: 'p', outcome: 'completed', isError: false, content: null, text: '' };
    // As a server of another version might.
    await feedEvents(page, id, [
      { type: 'turn-start', text: 'Before' },
      { type: 'tool-call-start', toolCallId: 'c', name: 'odd', plugin: 'p', arguments: '{}' },
      { type: 'tool-call-end', toolCallId: 'c', name: 'odd', outcome: 'completed', result: broken } as never,
      { type: 'event-of-tomorrow', toolCallId: 'd' } as never,
      { type: 'text-delta', text: 'And after.' },
    ]);
    await logOf(page).getByText('And after.').waitFor();
    await page.getByRole('alert').getByText('Toolpost could not show this part of the conversation').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await page.getByRole('textbox', { name: 'Message' }).isEnabled()).toBe(true);
    expect(await page.getByRole('article').count()).toBe(0);
  });

  it('offers nobody to stop, restart or reload plugins who may not', async () => {
    await using world = await createWebWorld(browser);
    const page = await (await world.openContext()).newPage();
    await page.goto(world.server.url);
    await page.getByLabel('Or paste the token').fill(ANN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Plugins' }).first().click();
    await page.getByRole('heading', { name: 'web-fixtures' }).waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Restart|Stop|Reload/ })
        .count(),
    ).toBe(0);
    expect(world.strays).toEqual([]);
  });

  it('tells that the server was updated while the page was open', async () => {
    await using world = await createWebWorld(browser);
    const page = await world.signIn();
    await page.route(`${world.server.url}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/index-[\w-]+\.js/, 'index-newer.js') });
    });
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText('Toolpost was updated').waitFor();
  });
});
