import { type KeptApproval, openApprovals } from '@toolpost/host';
import { print } from '../print.ts';
import { plainText } from '../terminal-text.ts';
import { UsageError } from '../usage-error.ts';

/** `toolpost approvals list`: the answers "always" that are kept, newest first. */
export async function approvalsList({ json }: { json: boolean }): Promise<number> {
  const approvals = (await openApprovals(process.env)).list();
  if (json) await print(`${JSON.stringify({ approvals })}\n`);
  else if (approvals.length === 0) await print('No answer "always" is kept.\n');
  else await print(approvals.map(describe).join(''));
  return 0;
}

/** `toolpost approvals forget`: takes answers back, so that the calls are asked about again. */
export async function approvalsForget(ids: readonly string[], { all }: { all: boolean }): Promise<number> {
  if (all === ids.length > 0) throw new UsageError('name the ids that `toolpost approvals list` shows, or take --all');
  const store = await openApprovals(process.env);
  const unknown = ids.filter((id) => !store.list().some((kept) => kept.id === id));
  if (unknown.length > 0) {
    throw new UsageError(`no answer of the id ${unknown.join(', ')} is kept; \`toolpost approvals list\` shows them`);
  }
  const forgotten = (all ? store.list().map(({ id }) => id) : ids).filter(store.forget);
  await print(`${forgotten.length} ${forgotten.length === 1 ? 'answer is' : 'answers are'} taken back\n`);
  return 0;
}

function describe({ id, plugin, tool, arguments: input, roots, tenant, user, approvedAt }: KeptApproval): string {
  const who = [user && `user ${user}`, tenant && `tenant ${tenant}`].filter(Boolean).map((one) => ` of ${one}`);
  const rows = [
    `${id}  ${tool}${plugin === '' ? '' : ` of ${plugin}`}${who.join('')}`,
    ...(input === '' ? [] : [`    with ${input}`]),
    ...(roots.length === 0 ? [] : [`    in ${roots.join(', ')}`]),
    ...(approvedAt === '' ? [] : [`    since ${approvedAt}`]),
  ];
  return rows.map((row) => `${plainText(row).replaceAll('\n', ' ')}\n`).join('');
}
