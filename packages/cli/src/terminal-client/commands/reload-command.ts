import type { PluginReload } from '@toolpost/host';
import { plainText } from '../../terminal-text.ts';
import { type SlashCommand, said } from './slash-command.ts';

/** Files of plugins are read at the start; this is how a running chat gets to know of others. */
export const reloadCommand: SlashCommand = {
  name: 'reload',
  about: 'find plugins and tools that are new, changed or gone; config.json is read at the start only',
  run: async (_, { conversation }) => said(plainText(reloadText(await conversation.reloadPlugins()))),
};

function reloadText({ added, changed, removed, broken }: PluginReload): string {
  const lines = [
    ...line('New', added),
    ...line('Started again', changed),
    ...line('Gone', removed),
    ...broken.map(({ id, error }) => `✗ ${id} does not work: ${error}`),
  ];
  return lines.length > 0 ? lines.join('\n') : 'No plugin is new, changed or gone.';
}

function line(label: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${label}: ${ids.join(', ')}`];
}
