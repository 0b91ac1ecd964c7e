import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import { CodeError } from '../code-error.ts';
import { makeFunction } from '../evaluate.ts';
import * as UI from '../ui/index.ts';
import { type CompiledModule, SCOPE_NAMES } from './compile.ts';
import { createHotTypes } from './hot-types.ts';

export interface ModuleLoader {
  /** What the host has sent, as a script that fills `module.exports`. */
  addLib(name: string, text: string): void;
  /**
   * Runs a module and gives its component: its default export, or what is named `App`; undefined where it has none yet.
   * @throws what the module throws, and CodeError for an import of what there is not
   */
  load(module: CompiledModule, isFinal: boolean): React.ComponentType | undefined;
  /** The exports of a library that was added. */
  lib(name: string): Readonly<Record<string, unknown>> | undefined;
}

/** Which library of the host each import is of. */
const IMPORTS: Readonly<Record<string, string>> = {
  echarts: 'echarts',
  three: 'three',
  'three/addons/controls/OrbitControls.js': 'three',
  'three/examples/jsm/controls/OrbitControls.js': 'three',
  motion: 'motion',
  'motion/react': 'motion',
  'framer-motion': 'motion',
};

export function createModuleLoader(): ModuleLoader {
  const library = new Set<object>(Object.values(UI).filter((one) => typeof one === 'function'));
  const hot = createHotTypes((type) => library.has(type));
  const own = ownModules((type) => hot.stable(type) as React.ElementType);
  const texts = new Map<string, string>();
  const libs = new Map<string, Record<string, unknown>>();

  function lib(name: string): Record<string, unknown> | undefined {
    const text = texts.get(name);
    if (text !== undefined && !libs.has(name)) libs.set(name, runLib(text, require));
    return libs.get(name);
  }

  function require(name: string): unknown {
    if (Object.hasOwn(own, name)) return own[name];
    const libName = Object.hasOwn(IMPORTS, name) ? IMPORTS[name] : undefined;
    if (libName === undefined) throw new CodeError('compile', cannotImport(name));
    const loaded = lib(libName);
    if (loaded) return loaded;
    throw new CodeError(
      'compile',
      `"${name}" is not loaded: the tool has to name "${libName}" in the libs of its ui block`,
    );
  }

  return {
    lib,
    addLib(name, text) {
      if (!texts.has(name)) texts.set(name, text);
    },
    load(module, isFinal) {
      hot.startVersion(isFinal);
      const exports: Record<string, unknown> = {};
      module(require, exports, { ...pick(own.react ?? {}), UI });
      const { default: component } = exports;
      if (component === undefined) return undefined;
      if (typeof component === 'function' || (typeof component === 'object' && component !== null))
        return hot.stable(component) as React.ComponentType;
      throw new CodeError('compile', 'the default export is no component: it has to be a function');
    },
  };
}

function cannotImport(name: string): string {
  const known = ['react', 'echarts', 'three', 'motion/react'].join(', ');
  return `"${name}" cannot be imported here: there are ${known}, and UI without an import`;
}

type Modules = Readonly<Record<string, Record<string, unknown>>>;

/** React and what is ours, with elements whose types stay the same from version to version. */
function ownModules(stable: (type: unknown) => React.ElementType): Modules {
  const jsx = (type: unknown, props: never, key?: string) => jsxRuntime.jsx(stable(type), props, key);
  const jsxs = (type: unknown, props: never, key?: string) => jsxRuntime.jsxs(stable(type), props, key);
  const createElement = (type: unknown, ...rest: [never]) => React.createElement(stable(type), ...rest);
  const react = asModule({ ...React, createElement, React: undefined });
  const ui = asModule({ ...UI, UI });
  return {
    react,
    ui,
    '@toolpost/ui': ui,
    'react-dom': asModule({ createPortal: ReactDOM.createPortal, flushSync: ReactDOM.flushSync }),
    'react/jsx-runtime': asModule({ ...jsxRuntime, jsx, jsxs }),
  };
}

function asModule(exports: Record<string, unknown>): Record<string, unknown> {
  return { ...exports, __esModule: true, default: exports };
}

function pick(react: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(SCOPE_NAMES.map((name) => [name, name === 'React' ? react.default : react[name]]));
}

function runLib(text: string, require: (name: string) => unknown): Record<string, unknown> {
  const module = { exports: {} as Record<string, unknown> };
  makeFunction(['module', 'exports', 'require'], text)(module, module.exports, require);
  return module.exports;
}
