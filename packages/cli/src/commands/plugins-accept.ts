import { acceptTools } from '@toolpost/host';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';
import { UsageError } from '../usage-error.ts';

/** `toolpost plugins accept`: takes a server's changed tools as they are now, and shows what that was. */
export async function pluginsAccept(id: string, tool: string | undefined): Promise<number> {
  const accepted = await acceptTools(process.env, id, tool);
  if (accepted.length === 0) {
    const what = tool === undefined ? 'no changed tool' : `no change of ${tool}`;
    throw new UsageError(`${what} of the plugin ${id} waits to be accepted; \`toolpost tools\` lists what it offers`);
  }
  for (const { name, patch } of accepted) await print(plainText(`${patch}accepted: ${name}\n`));
  return 0;
}
