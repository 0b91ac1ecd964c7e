import { readPage } from './read-page.ts';
import { runPageScripts } from './run-page-scripts.ts';

/**
 * Puts a document in the place of this one, and runs its scripts: a page by MCP Apps, which speaks with the page around by
 * messages of windows. The policy that this document came with stays in force, so that it loads nothing.
 */
export function becomeApp(html: string): void {
  const page = readPage(html);
  document.documentElement.replaceWith(document.adoptNode(page.root));
  runPageScripts(page);
}
