// Started by scripts/screens.js.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startChromium } from '../../packages/web/test/chromium.ts';
import { root, say } from '../repository.js';
import { takeBrowserPictures } from './browser-pictures.ts';
import { takeTerminalPictures } from './terminal-pictures.ts';

const MAX_BYTES = 300_000;
const WAYS = { browser: takeBrowserPictures, terminal: takeTerminalPictures };
const images = join(root, 'docs/images');

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(WAYS, name));
if (unknown !== undefined)
  throw new Error(`there are no pictures of ${unknown}: take ${Object.keys(WAYS).join(' or ')}`);

mkdirSync(images, { recursive: true });
const browser = await startChromium(['--force-device-scale-factor=1.5']);
for (const [name, take] of Object.entries(WAYS))
  if (names.length === 0 || names.includes(name)) await take(browser, save);
await browser.close();

async function save(page: Page, name: string): Promise<void> {
  const path = join(images, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = statSync(path);
  say(`${path}: ${Math.round(size / 1000)} kB`);
  if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
}
