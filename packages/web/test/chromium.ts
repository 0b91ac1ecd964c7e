import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian and others put it; `CHROMIUM` names another one. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath = [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));

/** Stands in the titles of what is skipped. */
export const WITHOUT_CHROMIUM = chromiumPath === undefined ? ' (skipped: there is no Chromium on this machine)' : '';

export function startChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...more,
    ],
  });
}
