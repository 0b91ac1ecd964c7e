import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SESSION_PAGE, transcriptOf } from './real-session/page.ts';
import { playSession } from './real-session/play.ts';
import { REPOSITORY } from './real-session/repository.ts';
import { ANSWERS } from './real-session/script.ts';
import { hasTerminal } from './real-session/terminal.ts';

describe.skipIf(!hasTerminal)('the session in docs/a-real-session.md (needs python3 with pty)', () => {
  it('is what happens when it is played again', { timeout: 120_000 }, async () => {
    const { transcript, requests, repaired } = await playSession();
    expect(transcript).toBe(transcriptOf(readFileSync(SESSION_PAGE, 'utf8')));

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
