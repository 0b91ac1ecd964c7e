import { type CodeToken, codeOf, tokensOf, topLevelOf } from './code-tokens.ts';
import { GUIDE } from './guide.ts';

/** The code as it is shown, with what its author should know; or why it is not shown. */
export type CheckedCode = { readonly code: string; readonly notes: readonly string[] } | { readonly problem: string };

const IMPORTS: readonly string[] = [
  ...['react', 'react-dom', 'react/jsx-runtime', 'ui', '@toolpost/ui'],
  ...['echarts', 'three', 'three/addons/controls/OrbitControls.js', 'three/examples/jsm/controls/OrbitControls.js'],
  ...['motion', 'motion/react', 'framer-motion'],
];
const OUT_OF_REACH = /\b(fetch|XMLHttpRequest|WebSocket|EventSource|localStorage|sessionStorage|indexedDB)\b/;
/** The guide names them all. */
const COMPONENTS = new Set(Array.from(GUIDE.matchAll(/\bUI\.([A-Z]\w*)/g), ([, name]) => name));
const FILE_NAME = 'interface.tsx';

/**
 * Checks a module of an interface as far as it can be without running it: the frame compiles it in the same way, but there
 * its author does not hear of it any more.
 */
export async function checkCode(given: string): Promise<CheckedCode> {
  const checked = await checkModule(withoutFence(given));
  const fenced = 'problem' in checked ? fencedPart(given) : undefined;
  return fenced === undefined ? checked : checkModule(fenced);
}

async function checkModule(code: string): Promise<CheckedCode> {
  if (code.trim() === '') return { problem: 'the code is empty.' };
  // Loaded when something is drawn: most sessions draw nothing.
  const { transform } = await import('sucrase');
  let script: string;
  try {
    const options = { jsxRuntime: 'automatic', production: true, filePath: FILE_NAME } as const;
    script = transform(code, { transforms: ['typescript', 'jsx', 'imports'], ...options }).code;
  } catch (error) {
    return { problem: syntaxProblem(code, error) };
  }
  const tokens = await tokensOf(script);
  const problem = importProblem(tokens) ?? moduleProblem(tokens);
  return problem === undefined ? { code, notes: notesFor(codeOf(tokens)) } : { problem };
}

/** Models put code between fences, whatever they are told. */
function withoutFence(code: string): string {
  return code.replace(/^\s*```[\w-]*[^\S\n]*\n/, '').replace(/(^|\n)```\s*$/, '$1');
}

/** What stands between fences in the middle of a text. */
function fencedPart(text: string): string | undefined {
  const begin = /(?:^|\n)```[\w-]*[^\S\n]*\n/.exec(text);
  if (!begin) return undefined;
  const start = begin.index + begin[0].length;
  const end = text.indexOf('\n```', start);
  return end === -1 ? undefined : text.slice(start, end + 1);
}

function syntaxProblem(code: string, error: unknown): string {
  if (/^\s*<(?:!doctype|html|head|body)\b/i.test(code))
    return 'the code is a page of HTML, not a module: write `export default function App() { return ...; }`.';
  const message = error instanceof Error ? error.message : String(error);
  const [, line] = /\((\d+):\d+\)/.exec(message) ?? [];
  const said = message.replace(`Error transforming ${FILE_NAME}: `, '').replace(/\s*\(\d+:\d+\)/, '');
  if (line === undefined) return `the code does not compile: ${said}.`;
  const quoted = (code.split('\n')[Number(line) - 1] ?? '').trim().slice(0, 120);
  return `the code does not compile, line ${line}: ${said}. The line is ${JSON.stringify(quoted)}.`;
}

/** Every import is a `require` once it is compiled, one by `import()` too. */
function importProblem(tokens: readonly CodeToken[]): string | undefined {
  for (const [at, { text }] of tokens.entries()) {
    if (text !== 'require' || tokens[at - 1]?.text === '.' || tokens[at + 1]?.text !== '(') continue;
    const name = textAt(tokens, at + 2);
    if (name === undefined) return 'an import whose name is computed cannot be checked: write the name as a text.';
    if (!IMPORTS.includes(name))
      return `"${name}" cannot be imported. There are react, three, motion/react and echarts; UI needs no import.`;
  }
  return undefined;
}

/** The text that an argument is, in quotes or as a template without anything in it. */
function textAt(tokens: readonly CodeToken[], at: number): string | undefined {
  const [first, second, third, fourth] = tokens.slice(at, at + 4);
  if (first?.label === 'string' && second?.label === ')') return first.text.slice(1, -1);
  return first?.label === '`' && third?.label === '`' && fourth?.label === ')' ? second?.text : undefined;
}

function moduleProblem(tokens: readonly CodeToken[]): string | undefined {
  const script = codeOf(tokens);
  const topLevel = codeOf(topLevelOf(tokens));
  const hasComponent =
    /\bexports \. default =/.test(topLevel) || /(?:\b(?:function|class|const|let|var)|,) App\b/.test(topLevel);
  if (!hasComponent) return 'there is no component: write `export default function App() { ... }`.';
  const bare = bareComponent(script);
  if (bare !== undefined) return `${bare} is not defined: it is \`UI.${bare}\` here.`;
  const draws = /\bjsxs? \. call \( void 0 , (?!_jsxruntime \. Fragment)|\bcreateElement\b/.test(script);
  return draws ? undefined : 'the component draws nothing: there is no element in it.';
}

/** A component of the library without `UI.`, which nothing else in the module declares. */
function bareComponent(script: string): string | undefined {
  const used = [...script.matchAll(/\bjsxs? \. call \( void 0 , ([A-Z]\w*) ,/g)].map(([, name = '']) => name);
  return used.find((name) => COMPONENTS.has(name) && !declares(script, name));
}

function declares(script: string, name: string): boolean {
  return (
    new RegExp(`\\b(?:function|class|const|let|var)\\s+${name}\\b`).test(script) ||
    new RegExp(`[{,[(:]\\s*${name}\\s*(?:=[^=>]|[,}\\]),])`).test(script.replaceAll(/\bcall \( void 0 , \w+/g, ''))
  );
}

function notesFor(script: string): string[] {
  const [, name] = OUT_OF_REACH.exec(script) ?? [];
  return name === undefined
    ? []
    : [`${name} does not work in it: there is no network and no storage. Put the data into the code.`];
}
