// Writes the JSON Schemas of hand-written files into docs/, from the built packages: node scripts/write-json-schemas.js
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SETTINGS_JSON_SCHEMA } from '../packages/host/dist/settings/settings-schema.js';
import { MANIFEST_JSON_SCHEMA } from '../packages/protocol/dist/manifest-schema.js';

const schemas = { 'config.schema.json': SETTINGS_JSON_SCHEMA, 'plugin.schema.json': MANIFEST_JSON_SCHEMA };
const files = Object.entries(schemas).map(([name, schema]) => {
  const file = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  return file;
});
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
process.exitCode =
  spawnSync(process.execPath, [biome, 'format', '--write', ...files], { stdio: 'inherit' }).status ?? 1;
