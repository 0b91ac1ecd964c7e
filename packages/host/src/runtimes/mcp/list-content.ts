import {
  isJsonObject,
  type JsonObject,
  messageOf,
  NO_CONTENT,
  type PluginContent,
  readPluginContent,
} from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import type { WriteLog } from '../../processes/quiet-log.ts';
import { createListBudget } from './list-budget.ts';
import { pagesOf } from './pages-of.ts';
import type { RpcPeer } from './rpc-peer.ts';

/** Of each kind. */
const MAX_ITEMS = 1000;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Tools do not wait any longer for what stands beside them. */
const PATIENCE_MS = 5000;

/**
 * The resources, templates and prompts of a server that says that it has such. What of them cannot be read is left out,
 * and costs no tool.
 */
export async function listContent(
  peer: RpcPeer,
  capabilities: JsonObject,
  log: WriteLog<LogLevel>,
): Promise<PluginContent> {
  const list = async (method: string, member: keyof PluginContent): Promise<Partial<PluginContent>> => {
    try {
      return { [member]: await listOf(peer, method, member) };
    } catch (error) {
      log(`${method}: ${messageOf(error)}`, 'warn');
      return {};
    }
  };
  const lists = [
    ...(isJsonObject(capabilities.resources)
      ? [list('resources/list', 'resources'), list('resources/templates/list', 'resourceTemplates')]
      : []),
    ...(isJsonObject(capabilities.prompts) ? [list('prompts/list', 'prompts')] : []),
  ];
  if (lists.length === 0) return NO_CONTENT;
  const all = await Promise.race([Promise.all(lists), impatience()]);
  if (!all) log(`its resources and prompts are left out: they were not listed within ${PATIENCE_MS} ms`, 'warn');
  return Object.assign({ ...NO_CONTENT }, ...(all ?? []));
}

async function listOf(peer: RpcPeer, method: string, member: keyof PluginContent): Promise<unknown[]> {
  const found: unknown[] = [];
  const budget = createListBudget(MAX_CHARACTERS);
  for await (const { items } of pagesOf(peer, method, member)) {
    for (const item of items) found.push(...readOne(member, item).filter((one) => budget.takes(one)));
    if (found.length >= MAX_ITEMS || budget.isSpent) break;
  }
  return found.slice(0, MAX_ITEMS);
}

/** One that is not as it should be is left out. */
function readOne(member: keyof PluginContent, item: unknown): readonly unknown[] {
  try {
    return readPluginContent({ [member]: [item] })[member];
  } catch {
    return [];
  }
}

function impatience(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, undefined).unref());
}
