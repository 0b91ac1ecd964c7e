import type { HighlighterCore, LanguageInput } from 'shiki/core';

export interface Token {
  readonly text: string;
  /** A variable of the page's style, so that one result does for light and dark. */
  readonly color: string | undefined;
}

type Load = () => Promise<{ default: LanguageInput }>;

/** Each is a file that is loaded when code in it is shown for the first time. */
const LANGUAGES: Readonly<Record<string, Load>> = {
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  shellscript: () => import('shiki/langs/shellscript.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

/** Names and endings of files that mean one of them. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  cc: 'c',
  cpp: 'c',
  cjs: 'javascript',
  dockerfile: 'docker',
  h: 'c',
  hpp: 'c',
  htm: 'html',
  js: 'javascript',
  jsx: 'tsx',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  py: 'python',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  svg: 'xml',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'shellscript',
};

/** Longer code is shown plain: a page must not stand still for its colours. */
const MAX_CHARS = 60_000;

export function languageOf(name: string | undefined): string | undefined {
  const lower = name?.toLowerCase() ?? '';
  const known = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return known !== undefined && Object.hasOwn(LANGUAGES, known) ? known : undefined;
}

export function languageOfFile(path: string): string | undefined {
  const name = path.split('/').at(-1) ?? '';
  return languageOf(name.includes('.') ? name.split('.').at(-1) : name);
}

let highlighter: Promise<HighlighterCore> | undefined;

/** What was in use already. */
const warm = new Set<string>();
/** The highlighter gives up on a line after half a second, and its patterns are made while it reads the first ones. */
const SLOW_MS = 400;

/** The lines of a code as coloured tokens; undefined when it is too long. */
export async function highlight(code: string, language: string): Promise<readonly (readonly Token[])[] | undefined> {
  const load = LANGUAGES[language];
  if (code.length > MAX_CHARS || !load) return undefined;
  highlighter ??= import('./create-highlighter.ts').then(({ createHighlighter }) => createHighlighter());
  const [shiki, grammar] = await Promise.all([highlighter, load()]);
  await shiki.loadLanguage(grammar.default);
  const read = () => shiki.codeToTokens(code, { lang: language, theme: 'css-variables' }).tokens;
  const startedAt = performance.now();
  let tokens = read();
  if (!warm.has(language) && performance.now() - startedAt > SLOW_MS) tokens = read();
  warm.add(language);
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, color })));
}
