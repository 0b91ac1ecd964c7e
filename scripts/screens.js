// `node scripts/screens.js [NAME ...]`: makes the pictures of the README, docs/images/*.png, from a real run: the command
// as it is built, plugins, and a model whose words are in scripts/screens/story.ts. Needs Chromium, and python3 for the terminal.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pinnedNode, root } from './repository.js';

const args = ['--disable-warning=ExperimentalWarning', path.join(root, 'scripts/screens/main.ts')];
const { status } = spawnSync(pinnedNode, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
