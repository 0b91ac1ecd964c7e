import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as sdk from '@toolpost/sdk';
import * as testing from '@toolpost/sdk/testing';
import { describe, expect, it } from 'vitest';
import { repository, typeErrorsOf } from './documented-page.ts';

const page = readFileSync(path.join(repository, 'docs/seed-names.md'), 'utf8');
/** The names in the last column of the tables that have one for the SDK. */
const names = [...page.matchAll(/^\|.*\|([^|]+)\|$/gm)]
  .filter(([row]) => row.split('|').length === 5)
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name));

describe('the table of names', () => {
  it('names every name that the design takes over from the seeds', () => {
    const required =
      'defineTool buildToolDef toolFromFunc toolFromJsonFunc parseToolInputString parseToolInputNumber parseToolInputBoolean parseToolInputArray parseToolInputObject newToolResult newToolError newResultBuilder formatToolResult formatListResult formatErrorResult toolDef ToolCallContext ToolDefinition.primaryArg syscalls.spawn syscalls.log';
    expect(names).toEqual(expect.arrayContaining(required.split(' ')));
  });

  it('leaves out no function of the SDK that is named after one of the seeds', () => {
    const ours = Object.keys(sdk).filter((name) =>
      /^(new|format|parse|build|toolFrom|tool[A-Z]|deny|allow|log)/.test(name),
    );
    expect(names).toEqual(expect.arrayContaining(ours));
  });

  it('names values that the SDK exports', () => {
    const values = names.filter((name) => /^[a-z]/.test(name));
    const missing = values.filter((name) => {
      const keys = name.split('.');
      const start: unknown = keys[0] === 'testing' ? { testing } : sdk;
      return keys.reduce((holder: unknown, key) => Object(holder)[key], start) === undefined;
    });
    expect(missing).toEqual([]);
  });

  it('names types and members that the SDK declares', { timeout: 60_000 }, async () => {
    const types = [...new Set(names.filter((name) => /^[A-Z]/.test(name)))];
    const imports = [...new Set(types.map((name) => name.split('.')[0]))];
    const uses = types.map((name, index) => `export type T${index} = ${name.replace(/\.(\w+)/g, "['$1']")};`);
    const text = [`import type { ${imports.join(', ')} } from '@toolpost/sdk';`, ...uses].join('\n');
    const errors = await typeErrorsOf([{ kind: 'file', path: 'names.ts', text }], ['@toolpost/sdk']);
    expect(types.length).toBeGreaterThan(20);
    expect(errors).toBe('');
  });
});
