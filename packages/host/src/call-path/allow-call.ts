import { realpath } from 'node:fs/promises';
import type { CallInProgress, CallPath, ReadyCall } from '../call-tool.ts';
import type { PermissionDecision, PermissionRequest } from '../permissions/decide.ts';
import { askUser } from './ask-user.ts';
import { CallStopped } from './call-stopped.ts';

/**
 * Decides whether the call may run, and asks the session's user where the rules or a hook say so.
 * @throws CallStopped `denied` that names the rule, or the rule or flag that would allow it.
 */
export async function allowCall(
  path: CallPath,
  progress: CallInProgress,
  { tool, input, hookAsks }: ReadyCall & { hookAsks: string | undefined },
): Promise<void> {
  const { session, options, trace } = progress;
  const decision = await decide(path, progress, { tool, input, hookAsks });
  trace.decision = decision.decision;
  trace.rule = decision.rule ?? decision.source;
  if (decision.decision === 'allow') return;
  const name = tool.definition.name;
  if (decision.decision === 'deny') {
    throw new CallStopped(
      'denied',
      `The call of ${name} is not permitted: ${decision.reason}. It did not run. Do it another way, or ask the user to change the rule.`,
    );
  }
  if (path.approvals.take({ sessionId: session.id, tool, input })) {
    trace.rule = 'remembered approval';
    return;
  }
  if (!options.approve) {
    throw new CallStopped(
      'denied',
      `The call of ${name} needs the user's yes (${decision.reason}), and nobody can answer here. It did not run. To permit it: ${decision.remedy ?? 'allow it with `--yes`'}.`,
    );
  }
  await askUser(path, progress, { tool, input, reason: decision.reason, approve: options.approve });
}

async function decide(
  path: CallPath,
  { session, options }: CallInProgress,
  { tool, input, hookAsks }: ReadyCall & { hookAsks: string | undefined },
): Promise<PermissionDecision> {
  const snapshot = options.snapshot ?? path.snapshotOf(session);
  const request: PermissionRequest = {
    tool,
    shadowsAnother: snapshot.shadowsAnother(tool),
    input,
    session,
    userCall: options.isUserCall === true,
  };
  const paths = path.permissions.pathsToResolve(request);
  const decision = path.permissions.decide(
    paths.length === 0 ? request : { ...request, realPaths: await realPathsOf(paths) },
  );
  const isAnswered = decision.source === 'flag' || decision.source === 'user';
  if (hookAsks === undefined || decision.decision !== 'allow' || isAnswered || path.saysYes || options.isUserCall)
    return decision;
  return { decision: 'ask', source: 'rule', rule: 'hook PreToolUse', reason: hookAsks };
}

/** Where links lead, as a rule for `secret/**` must also hold for a link into it. What does not exist yet stays. */
async function realPathsOf(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}
