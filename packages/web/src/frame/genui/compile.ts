import { messageOf } from '@toolpost/protocol';
import { transform } from 'sucrase';
import { CodeError } from '../code-error.ts';
import { makeFunction } from '../evaluate.ts';
import { closeUnfinished } from './close-unfinished.ts';

/** A module as a function of what it imports and exports. */
export type CompiledModule = (
  require: (name: string) => unknown,
  exports: Record<string, unknown>,
  scope: Readonly<Record<string, unknown>>,
) => void;

export interface Compiled {
  readonly module: CompiledModule;
  /** What was compiled: of code that is not whole, what it was closed to. */
  readonly code: string;
}

/** Names that a module may use without an import, which models forget. */
export const SCOPE_NAMES = [
  ...['React', 'UI', 'Fragment', 'useState', 'useEffect', 'useMemo', 'useRef', 'useCallback', 'useReducer'],
  ...['useId', 'useLayoutEffect', 'useContext', 'createContext', 'memo'],
] as const;

export const SOURCE_NAME = 'interface.tsx';
const MAX_CACHED = 8;

const cache = new Map<string, Compiled>();

/**
 * Compiles a module of an interface. What is not whole (`isFinal` false) is closed first. The last few are kept by their
 * whole code.
 * @throws CodeError that tells the line
 */
export function compile(code: string, isFinal: boolean): Compiled {
  const plain = withoutFence(code);
  const key = `${isFinal} ${plain}`;
  const known = cache.get(key);
  cache.delete(key);
  const compiled = known ?? (isFinal ? compileWhole(plain) : compileUnfinished(plain));
  cache.set(key, compiled);
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_CACHED) break;
    cache.delete(oldest);
  }
  return compiled;
}

function compileUnfinished(code: string): Compiled {
  let first: unknown;
  for (const candidate of closeUnfinished(code)) {
    try {
      return compileWhole(candidate);
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

function compileWhole(code: string): Compiled {
  const script = toScript(code);
  // On one line with the code's first, so that lines are the code's own.
  const names = SCOPE_NAMES.join(', ');
  const head = `return function (require, exports, { ${names} }) { return (function () { `;
  const tail = "\nif (exports.default === undefined && typeof App === 'function') exports.default = App; })(); };";
  try {
    const make = makeFunction([], `${head}${script}${tail}\n//# sourceURL=${SOURCE_NAME}`);
    return { module: make() as CompiledModule, code };
  } catch (error) {
    throw new CodeError('compile', messageOf(error));
  }
}

function toScript(code: string): string {
  try {
    return transform(code, {
      transforms: ['typescript', 'jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
      filePath: SOURCE_NAME,
    }).code;
  } catch (error) {
    const message = messageOf(error);
    const place = /\((\d+):\d+\)/.exec(message)?.[1];
    const said = message.replace(`Error transforming ${SOURCE_NAME}: `, '').replace(/\s*\(\d+:\d+\)/, '');
    throw new CodeError('compile', said, place === undefined ? undefined : Number(place));
  }
}

/** Models put code between fences, whatever they are told. */
export function withoutFence(code: string): string {
  return code.replace(/^\s*```[\w-]*[^\S\n]*\n/, '').replace(/\n```\s*$/, '\n');
}
