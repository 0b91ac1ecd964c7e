import path from 'node:path';
import { repository } from '../documented-page.ts';

export const SESSION_PAGE = path.join(repository, 'docs/a-real-session.md');

const SCREENS = /(?<=^```text\n)[\s\S]*?(?=\n```$)/gm;

export function screensOf(page: string): readonly string[] {
  return page.match(SCREENS) ?? [];
}

/** The page with these screens in the places of its own. @throws Error when they are not as many. */
export function withScreens(page: string, screens: readonly string[]): string {
  const places = screensOf(page).length;
  if (places !== screens.length) throw new Error(`the page has room for ${places} screens, not for ${screens.length}`);
  let next = 0;
  return page.replace(SCREENS, () => screens[next++] ?? '');
}
