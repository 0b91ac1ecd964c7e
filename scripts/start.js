// `npm start [-- ARGS]`: sets up what is missing, then becomes the command; without arguments, its chat.
import { pathToFileURL } from 'node:url';
import { launcher, root } from './repository.js';
import { setUp } from './set-up.js';

const args = process.argv.slice(2);

if (await setUp()) {
  // npm starts scripts in the package's folder and tells where the user was.
  if (process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD && process.cwd() === root)
    process.chdir(process.env.INIT_CWD);
  // The launcher in this process, not one more process in between: signals and the exit status stay as they are.
  process.argv.splice(1, process.argv.length, launcher, ...(args.length > 0 ? args : ['chat']));
  await import(pathToFileURL(launcher).href);
} else process.exitCode = 1;
