import type { Session } from '@toolpost/protocol';
import type { BeyondCall } from './call-path/beyond-call.ts';
import type { CallPath } from './call-path/call-in-progress.ts';
import { createOutputFiles } from './call-path/output-files.ts';
import type { Redactor } from './call-path/redactor.ts';
import { createHookRunner } from './hooks/run-hooks.ts';
import type { HostOptions } from './host-options.ts';
import { createJournal } from './journal/journal.ts';
import { createLimits } from './limits/limits.ts';
import { createApprovals } from './permissions/approvals.ts';
import { createTenantPermissions } from './permissions/tenant-permissions.ts';
import type { Registry } from './registry/registry.ts';
import type { Settings } from './settings/settings-schema.ts';
import { openSharedQuota } from './shared-quota.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { createKeptApprovals } from './trust/kept-approvals.ts';

interface CallPathParts {
  readonly options: HostOptions;
  readonly homeDir: string;
  readonly settings: Settings;
  readonly registry: Registry;
  readonly redact: Redactor;
  readonly warn: (message: string) => void;
  readonly beyond: BeyondCall;
  readonly telemetry: Telemetry | undefined;
}

/** The one path of all calls, with what it is made of. */
export async function openCallPath({
  options,
  homeDir,
  settings,
  registry,
  redact,
  warn,
  beyond,
  telemetry,
}: CallPathParts): Promise<CallPath> {
  const outputFiles = createOutputFiles(homeDir, warn);
  const flags = (options.allow ?? []).map((text) => ({ text, place: '--allow' }));
  const rules = {
    ...settings.permissions,
    allow: [...settings.permissions.allow, ...flags],
    yes: options.yes === true,
    isOwnOutput: (path: string, session: Session) => outputFiles.isOwn(path, session),
  };
  const rulesByTenant = Object.entries(settings.tenants).map(([id, tenant]) => [id, tenant.permissions] as const);
  const permissions = await createTenantPermissions(rules, Object.fromEntries(rulesByTenant));
  return {
    snapshotOf: (session: Session) => registry.snapshot(session),
    hooks: createHookRunner(),
    permissions,
    approvals: createApprovals(),
    keptApprovals: createKeptApprovals(homeDir, redact),
    saysYes: options.yes === true,
    limits: createLimits(settings.limits, { dailyQuota: await openSharedQuota(settings.limits, { homeDir, warn }) }),
    outputFiles,
    outputBytesOf: (pluginId) => settings.limits[pluginId]?.outputBytes,
    journal: createJournal({ homeDir, redact, onProblem: warn }),
    confine: async (roots, path) => {
      const { resolveInRoots } = await import('./builtin/confine-path.ts');
      return (await resolveInRoots(roots, path, { homeDir, forWrite: true })).path;
    },
    redact,
    warn,
    beyond,
    telemetry,
  };
}
