import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HOOK_EVENTS, SILENT_HOOK_EVENTS } from './hook-events.ts';
import { INERT_CONTRIBUTIONS, INERT_PERMISSIONS, inertParts } from './inert-parts.ts';
import { PERMISSIONS } from './manifest.ts';
import { parseManifest } from './manifest-schema.ts';

const page = readFileSync(new URL('../../../docs/plugin-json.md', import.meta.url), 'utf8');
const [working = '', inert = ''] = page.split('## Accepted without effect');

describe('what of a manifest has no effect', () => {
  test('is named in one warning, as it is written there', () => {
    const { warnings } = parseManifest({
      ...{ id: 'a', version: '1.0.0', entry: 'a.ts', dependencies: [{ id: 'b' }], web: {} },
      permissions: ['hooks.subscribe', 'ui.themes'],
      contributes: {
        hooks: [{ event: 'CronFired' }, { event: 'CronFired', matcher: 'x' }, { event: 'AgentStop' }],
        themes: [{ id: 't', file: 't.json' }],
        commands: [],
      },
    });
    const parts = 'dependencies, web, contributes.themes, contributes.hooks (CronFired), permissions ("ui.themes")';
    expect(warnings).toEqual([`accepted, and without effect here: ${parts}`]);
  });

  test('is nothing of one that declares what works, nor of one that may do everything', () => {
    const hooks = HOOK_EVENTS.map((event) => ({ event }));
    const works = PERMISSIONS.filter((name) => !INERT_PERMISSIONS.includes(name));
    expect(inertParts({ permissions: [...works, '*'], dependencies: [], contributes: { hooks, tools: [] } })).toEqual(
      [],
    );
  });

  test('is what the page says, and the page names everything that works', () => {
    for (const event of SILENT_HOOK_EVENTS) expect(inert).toContain(`\`${event}\``);
    for (const key of INERT_CONTRIBUTIONS) expect(inert).toContain(`\`contributes.${key}\``);
    for (const name of INERT_PERMISSIONS) expect(inert).toContain(`\`${name}\``);
    for (const event of HOOK_EVENTS) expect(working).toContain(`\`${event}\``);
    const [, table = ''] = working.split('## What it may do');
    for (const name of PERMISSIONS) expect(table).toContain(`\`${name}\``);
  });
});
