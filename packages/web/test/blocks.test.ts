import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, WITHOUT_CHROMIUM } from './chromium.ts';
import { expectQuiet } from './expect-quiet.ts';
import { violationsOf } from './violations.ts';
import { calls, card, createWebWorld, logOf, say, says } from './web-world.ts';

const BLOCKS = `
import { chart, definePlugin, defineTool, diff, form, markdown, newResultBuilder, table, tree } from '@toolpost/sdk';
const wave = Array.from({ length: 48 }, (_, at) => Math.round(50 + 40 * Math.sin(at / 5)));
const hours = wave.map((_, at) => String(at).padStart(2, '0') + ':00');
export default definePlugin({ tools: [
  defineTool({ name: 'show_report', description: 'Reports.', inputSchema: { type: 'object', properties: {} }, execute: () => newResultBuilder()
    .content('The report of today.')
    .block(table({ title: 'Services', columns: ['service', 'region', { label: 'p50 ms', align: 'right' }], rows: [['web', 'eu-west', 12.5], ['api', 'us-east', 140], ['=cmd()', 'ap, south', null]] }))
    .block(chart({ title: 'Requests', unit: '/s', labels: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], series: [{ name: 'in', values: [120, 340, 280, 90, 410] }, { name: 'out', values: [100, 300, null, -80, 400] }] }))
    .block(chart({ title: 'Latency', kind: 'line', unit: ' ms', labels: hours, series: [{ name: 'p99', values: wave }, { name: 'p50', values: wave.map((one) => one / 2) }] }))
    .block(chart({ title: 'Memory', kind: 'area', labels: hours, values: wave }))
    .block(chart({ title: 'Languages', kind: 'pie', labels: ['TypeScript', 'Python', 'Go'], values: [62, 28, 10] }))
    .block(chart({ title: 'Load', kind: 'spark', unit: '%', series: [{ name: 'cpu', values: wave }] }))
    .block(diff({ title: 'Change', path: 'a.txt', before: 'one\\ntwo\\n', after: 'one\\n2\\n' }))
    .block(tree({ title: 'Files', nodes: [{ label: 'src', children: [{ label: 'a.ts', detail: '3 KB' }] }, 'README.md'] }))
    .block(markdown({ title: 'Notes', text: '**Bold** <img src=x onerror=alert(1)>' }))
    .block(form({ title: 'Deploy', action: 'deploy', submit: 'Deploy', fields: [{ name: 'env', label: 'Environment', options: ['staging', 'production'], value: 'staging' }, { name: 'count', label: 'Count', kind: 'number', value: 2 }, { name: 'dry', label: 'Dry run', kind: 'checkbox', value: true }] }))
    .build() }),
] });`;

describe.skipIf(chromiumPath === undefined)(`blocks in the browser${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('draws each kind, sorts and copies tables, and says the numbers of charts', async () => {
    await using world = await createWebWorld(browser, {
      plugins: { reports: BLOCKS },
      script: [calls(['show_report', {}]), says('There.')],
    });
    const context = await world.openContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = await world.openSession(context);
    await say(page, 'Report.');
    await logOf(page).getByText('There.').waitFor();
    const report = card(page, 'show_report');
    await report.getByText('The report of today.').waitFor();
    // The text form is the model's alone.
    expect(await report.getByText('| service |').count()).toBe(0);

    const table = report.getByRole('region', { name: 'Services' });
    const firstCells = () => table.locator('tbody td:first-child').allTextContents();
    expect(await firstCells()).toEqual(['web', 'api', '=cmd()']);
    await table.getByRole('button', { name: 'p50 ms' }).click();
    await table.getByRole('button', { name: 'p50 ms' }).click();
    expect(await firstCells()).toEqual(['=cmd()', 'api', 'web']);
    await table.getByRole('button', { name: 'Copy the table as CSV' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'service,region,p50 ms\r\nweb,eu-west,12.5\r\napi,us-east,140\r\n\'=cmd(),"ap, south",\r\n',
    );

    const chart = report.getByRole('region', { name: 'Requests' });
    await chart.getByRole('img', { name: 'Requests: bar of 2 series, 5 values' }).waitFor();
    expect(await chart.locator('rect').count()).toBe(9);
    await chart.getByRole('button', { name: 'Show the numbers' }).click();
    expect(await chart.getByRole('cell', { name: '410' }).count()).toBe(1);
    await chart.getByRole('button', { name: 'Show the chart' }).click();

    expect(await report.getByRole('region', { name: 'Change' }).locator('tr.added').count()).toBe(1);
    expect(await report.getByRole('region', { name: 'Notes' }).locator('strong').textContent()).toBe('Bold');
    expect(await report.locator('img').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page)).toEqual([]);
    expectQuiet(world);
  });

  it('brings what a form says to the plugin, or to a card that the user can send', async () => {
    await using world = await createWebWorld(browser, {
      plugins: { reports: BLOCKS },
      script: [calls(['show_report', {}]), says('There.')],
    });
    const { page } = await world.openSession();
    await say(page, 'Report.');
    await logOf(page).getByText('There.').waitFor();
    const form = card(page, 'show_report').getByRole('region', { name: 'Deploy' });
    await form.getByLabel('Environment').selectOption('production');
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/ui-actions')),
      form.getByRole('button', { name: 'Deploy' }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({
      action: 'deploy',
      data: { env: 'production', count: 2, dry: true },
    });
  });
});
