// Plays the session and writes it into docs/a-real-session.md: node tests/real-session/record.ts
// Read the difference before you commit it.
import { readFileSync, writeFileSync } from 'node:fs';
import { SESSION_PAGE, withScreens } from './page.ts';
import { playSession } from './play.ts';

const { screens } = await playSession();
writeFileSync(SESSION_PAGE, withScreens(readFileSync(SESSION_PAGE, 'utf8'), screens));
