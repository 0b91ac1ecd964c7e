import { writeSync } from 'node:fs';
import path from 'node:path';
import { buildComponent, ComponentBuildError } from '@toolpost/host';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';

export interface BuildOptions {
  readonly out?: string;
}

/** `toolpost build`: makes a WebAssembly component of a plugin. Exits with 1 when it cannot be made. */
export async function build(dir: string, { out }: BuildOptions): Promise<number> {
  try {
    const built = await buildComponent(dir, { ...(out !== undefined && { outDir: out }) });
    for (const warning of built.warnings) process.stderr.write(`toolpost: warning: ${plainText(warning)}\n`);
    await print(plainText(`built ${path.relative('', built.file)}, with a plugin.json beside it\n`));
    await print(plainText(`try it: toolpost tools --plugins ${path.relative('', built.dir) || '.'}\n`));
    return 0;
  } catch (error) {
    if (!(error instanceof ComponentBuildError)) throw error;
    writeSync(2, `toolpost: ${plainText(error.message)}\n`);
    // A build that was given up goes on in a thread, which ends with the process and not before.
    return process.exit(1);
  }
}
