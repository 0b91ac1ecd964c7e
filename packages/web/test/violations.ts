import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe-core finds wrong with a page or a frame as it stands, one line for each element. */
export async function violationsOf(page: Pick<Page, 'evaluate'>): Promise<readonly string[]> {
  // Through the debugger, which the page's policy does not bind.
  const found = await page.evaluate(`${AXE}; axe.run(document, { runOnly: ${JSON.stringify(RULES)} })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
      id + ': ' + html.slice(0, 200) + ' ' + failureSummary.split('\\n').slice(1, 2).join(' '))))`);
  return found as readonly string[];
}
