import { expect, it } from 'vitest';
import type { CodeError } from '../code-error.ts';
import { compile } from './compile.ts';
import { toFailure } from './error-place.ts';

function run(code: string, scope: Record<string, unknown> = {}): Record<string, unknown> {
  const exports: Record<string, unknown> = {};
  const require = () => ({ jsx: (type: unknown) => type, jsxs: (type: unknown) => type });
  compile(code, true).module(require, exports, scope);
  return exports;
}

it('takes the default export, or what is named App', () => {
  expect(run('export default function Other() {}').default).toHaveProperty('name', 'Other');
  expect(run('function App() {}').default).toHaveProperty('name', 'App');
  expect(run('const App = () => null;').default).toHaveProperty('name', 'App');
  expect(run('export const x = 1;').default).toBeUndefined();
});

it('takes code between fences', () => {
  expect(run('```tsx\nexport default () => 1;\n```\n').default).toBeTypeOf('function');
});

it('has what models forget to import, also where the code names it itself', () => {
  const scope = { memo: () => 7 };
  expect((run('export default () => memo();', scope).default as () => unknown)()).toBe(7);
  const own = 'const { memo } = { memo: () => 8 }; export default () => memo();';
  expect((run(own, scope).default as () => unknown)()).toBe(8);
});

it('compiles the same code once, and another of the same length anew', () => {
  const [one, other] = ['export default () => 1;', 'export default () => 2;'];
  expect(compile(one, true)).toBe(compile(one, true));
  expect((run(one).default as () => unknown)()).toBe(1);
  expect((run(other).default as () => unknown)()).toBe(2);
  for (let index = 0; index < 8; index += 1) compile(`export default () => ${index + 10};`, true);
  const again = compile(one, true);
  expect(again).toBe(compile(one, true));
});

it('says in which line the code is wrong', () => {
  let thrown: unknown;
  try {
    compile('const a = 1;\nexport default () => <p>{</p>;', true);
  } catch (error) {
    thrown = error;
  }
  expect((thrown as CodeError).line).toBe(2);
  expect((thrown as CodeError).message).not.toMatch(/interface\.tsx|\d+:\d+/);
});

it('says in which line it threw', () => {
  let thrown: unknown;
  try {
    (
      run('const nothing = undefined;\n\nexport default function App() {\n  return nothing.length;\n}')
        .default as () => unknown
    )();
  } catch (error) {
    thrown = error;
  }
  expect(toFailure(thrown, 'render')).toMatchObject({
    phase: 'render',
    line: 4,
    message: expect.stringContaining('length'),
  });
});

it('says in words what React has numbers for', () => {
  const error = new Error(
    'Minified React error #130; visit https://react.dev/errors/130?args[]=x for the full message',
  );
  expect(toFailure(error, 'render').message).toContain('is undefined');
});
