import type { ComponentType } from 'react';
import { CodeError } from '../code-error.ts';
import { compile } from '../genui/compile.ts';
import type { ModuleLoader } from '../genui/load-module.ts';
import type { Draw } from './picture.ts';

/** A module whose default export, or what is named `App`, is a component. */
export function createGenuiDraw(loader: ModuleLoader): Draw {
  let last:
    | { readonly code: string; readonly isFinal: boolean; readonly component: ComponentType | undefined }
    | undefined;
  return ({ code, isFinal }) => {
    const compiled = compile(code, isFinal);
    // The same code again is the same component, which keeps its state and its effects.
    if (last?.code !== compiled.code || (isFinal && !last.isFinal))
      last = { code: compiled.code, isFinal, component: loader.load(compiled.module, isFinal) };
    const { component: App } = last;
    if (App) return <App />;
    if (isFinal) throw new CodeError('compile', 'there is no component: export one as default, or name it App');
    return undefined;
  };
}
