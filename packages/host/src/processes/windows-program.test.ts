import { expect, it } from 'vitest';
import { resolveWindowsProgram } from './windows-program.ts';

const env = { Path: 'C:\\Windows;C:\\Program Files\\nodejs', PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' };
const files = new Set([
  'C:\\Program Files\\nodejs\\node.EXE',
  'C:\\Program Files\\nodejs\\npx.CMD',
  'C:\\plugin\\bin\\serve.EXE',
]);
const resolve = (command: string, ...args: string[]) =>
  resolveWindowsProgram({ command, args, cwd: 'C:\\plugin', env, isFile: (path) => files.has(path) });

it('finds a program by PATH and PATHEXT, and passes its arguments as they are', () => {
  const command = 'C:\\Program Files\\nodejs\\node.EXE';
  expect(resolve('node', 'a b', '%X%')).toEqual({ command, args: ['a b', '%X%'], isVerbatim: false });
});

it('finds a relative program in the folder of the plugin', () => {
  expect(resolve('./bin/serve').command).toBe('C:\\plugin\\bin\\serve.EXE');
});

it('runs a batch file through cmd.exe, with every argument safe from it', () => {
  const { command, args, isVerbatim } = resolve('npx', 'C:\\My Dir\\', 'say "hi" & del');
  expect(command).toBe('C:\\Windows\\cmd.exe');
  expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
  expect(args[3]).toBe(
    '"C:\\Program^ Files\\nodejs\\npx.CMD ^^^"C:\\My^^^ Dir\\\\^^^" ^^^"say^^^ \\^^^"hi\\^^^"^^^ ^^^&^^^ del^^^""',
  );
  expect(isVerbatim).toBe(true);
});

it('leaves a program that it does not find to the error of the start', () => {
  expect(resolve('uvx', 'x')).toEqual({ command: 'uvx', args: ['x'], isVerbatim: false });
});
