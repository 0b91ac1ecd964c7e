import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf, quoteValue } from '@toolpost/protocol';
import { foldName } from '../../registry/fold-name.ts';
import { createListBudget, type ListBudget, MAX_LIST_CHARACTERS } from './list-budget.ts';
import { type Page, pagesOf } from './pages-of.ts';
import { paramHeaderProblem } from './param-headers.ts';
import { readTool, type ServerTool } from './read-tool.ts';
import type { RpcPeer } from './rpc-peer.ts';

/** More tools than any model can be offered, and few enough to be read in a moment. */
const MAX_TOOLS = 10_000;
/** Of what is wrong with many tools, so much is told. */
const MAX_PROBLEMS = 20;
/** So many are read before others have a turn. */
const BATCH = 200;

export interface ListToolsOptions {
  readonly pluginId: string;
  /** Arguments are mirrored in headers, where a schema says so. */
  readonly mirrorsParams: boolean;
}

export interface ToolList {
  readonly tools: readonly ServerTool[];
  /** Why some are left out, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Reads all pages of a server's list. A tool that cannot be used is left out with its reason, and stops no other
 * (fault C 40); a list without end is cut.
 * @throws Error when the server does not answer with a list.
 */
export async function listTools(peer: RpcPeer, options: ListToolsOptions): Promise<ToolList> {
  const tools = new Map<string, ServerTool>();
  const problems: string[] = [];
  const budget = createListBudget();
  let last: Page | undefined;
  for await (const page of pagesOf(peer, 'tools/list', 'tools')) {
    await addPage(page.items, { tools, problems, budget, ...options });
    last = page;
    if (tools.size >= MAX_TOOLS || budget.isSpent) break;
  }
  if (budget.isSpent)
    problems.push(
      `the server's list is longer than ${MAX_LIST_CHARACTERS} characters: of its tools the first ${tools.size} are taken`,
    );
  else if (last?.hasMore)
    problems.push(`the server lists more than ${tools.size} tools on ${last.number} pages: the rest is not read`);
  return { tools: [...tools.values()], problems: bounded(problems) };
}

interface Taken extends ListToolsOptions {
  readonly tools: Map<string, ServerTool>;
  readonly problems: string[];
  readonly budget: ListBudget;
}

async function addPage(page: readonly unknown[], taken: Taken): Promise<void> {
  for (const [index, value] of page.entries()) {
    if (index % BATCH === BATCH - 1) await nextTurn();
    if (taken.tools.size >= MAX_TOOLS) {
      taken.problems.push(
        `of the server's tools the first ${MAX_TOOLS} are taken, ${page.length - index} more are not`,
      );
      return;
    }
    add(value, taken);
    if (taken.budget.isSpent) return;
  }
}

function add(value: unknown, { tools, problems, budget, pluginId, mirrorsParams }: Taken): void {
  try {
    const tool = readTool(value, pluginId);
    const headerProblem = mirrorsParams ? paramHeaderProblem(tool.inputSchema) : undefined;
    if (headerProblem !== undefined) throw new Error(`${quoteValue(tool.name)}: ${headerProblem}`);
    const folded = foldName(tool.name);
    if (tools.has(folded)) throw new Error(`${quoteValue(tool.name)}: the server lists another tool of this name`);
    if (budget.takes(tool.definition)) tools.set(folded, tool);
  } catch (error) {
    problems.push(messageOf(error));
  }
}

function bounded(problems: readonly string[]): string[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  return [...problems.slice(0, MAX_PROBLEMS), `${problems.length - MAX_PROBLEMS} more tools are left out`];
}
