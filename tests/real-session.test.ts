import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { closeTerminals, hasPty } from '../packages/cli/src/fixtures/open-terminal.ts';
import { SESSION_PAGE, screensOf } from './real-session/page.ts';
import { playSession } from './real-session/play.ts';
import { REPOSITORY } from './real-session/repository.ts';
import { ANSWERS } from './real-session/script.ts';

afterEach(closeTerminals);

describe.skipIf(!hasPty)('the session in docs/a-real-session.md (needs python3 with pty)', () => {
  it('is what happens when it is played again', { timeout: 120_000 }, async () => {
    const { screens, requests, repaired } = await playSession();
    expect(screens).toEqual(screensOf(readFileSync(SESSION_PAGE, 'utf8')));

    expect(requests).toHaveLength(ANSWERS.length);
    const last = JSON.stringify(requests.at(-1)?.body.messages);
    expect(last).toContain('the test is right, fix the function');
    expect(last).toContain("ok     slugify('Ways  to   begin') is 'ways-to-begin'");
    expect(repaired).not.toBe(REPOSITORY['src/slugify.js']);
  });

  it('shows the file as it is at its beginning', () => {
    expect(readFileSync(SESSION_PAGE, 'utf8')).toContain(REPOSITORY['src/slugify.js']);
  });
});
