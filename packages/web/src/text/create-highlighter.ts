import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

/** Without WebAssembly, which the page's policy does not allow. */
export function createHighlighter(): Promise<HighlighterCore> {
  const theme = createCssVariablesTheme({ name: 'css-variables', variablePrefix: '--code-' });
  return createHighlighterCore({ themes: [theme], engine: createJavaScriptRegexEngine({ forgiving: true }) });
}
