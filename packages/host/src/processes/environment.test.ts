import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pickEnvironment } from './environment.ts';

const host = {
  PATH: ['/usr/bin', '/bin'].join(delimiter),
  HOME: '/home/ann',
  LANG: 'en_US.UTF-8',
  LC_TIME: 'C',
  TERM: 'xterm',
  OPENAI_API_KEY: 'secret',
  DATABASE_URL: 'declared',
  NODE_OPTIONS: '--inspect',
  UNSET: undefined,
};

describe('pickEnvironment', () => {
  it('passes the allow-list and the names that the manifest declares, nothing else', () => {
    expect(pickEnvironment({ host, names: ['DATABASE_URL', 'UNSET', 'ABSENT'], platform: 'linux' })).toEqual({
      PATH: host.PATH,
      HOME: '/home/ann',
      LANG: 'en_US.UTF-8',
      LC_TIME: 'C',
      TERM: 'xterm',
      DATABASE_URL: 'declared',
    });
  });

  it('puts a given PATH before the host’s instead of replacing it, each folder once', () => {
    const set = { PATH: ['/opt/tool', '/bin'].join(delimiter), MODE: 'x' };
    const picked = pickEnvironment({ host, set, platform: 'linux' });
    expect(picked.PATH).toBe(['/opt/tool', '/bin', '/usr/bin'].join(delimiter));
    expect(picked.MODE).toBe('x');
  });

  it('puts the Python SDK on PYTHONPATH, before what the manifest let through', () => {
    expect(pickEnvironment({ host, pythonDir: '/sdk' }).PYTHONPATH).toBe('/sdk');
    const declared = { ...host, PYTHONPATH: '/mine' };
    expect(pickEnvironment({ host: declared, pythonDir: '/sdk' }).PYTHONPATH).toBe('/sdk');
    const picked = pickEnvironment({ host: declared, names: ['PYTHONPATH'], pythonDir: '/sdk' });
    expect(picked.PYTHONPATH).toBe(['/sdk', '/mine'].join(delimiter));
  });

  it('compares names without case on Windows and keeps how they are spelled', () => {
    const windows = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', Secret: 's', Token: 't' };
    const picked = pickEnvironment({ host: windows, names: ['TOKEN'], set: { PATH: 'C:\\x' }, platform: 'win32' });
    expect(picked).toEqual({ Path: 'C:\\x;C:\\bin', SystemRoot: 'C:\\Windows', Token: 't' });
  });
});
