import type { contributionsShape } from './contributions-shape.ts';
import type { Manifest } from './manifest.ts';
import type * as shape from './shape/index.ts';

type Permissions = Manifest['permissions'];
type Contributes = shape.ReadBy<typeof contributionsShape>;

/** Without any of these a plugin is never started, as nothing that it may do is asked of it. */
const OFFERING_PERMISSIONS: Permissions = [
  'tools.register',
  'hooks.subscribe',
  'context.enrich',
  'channels.register',
  'commands.register',
  'cron.schedule',
  'ui.contribute',
  'ui.themes',
  'ui.overlay',
  'bus.plugin',
  'rpc',
];

/** A contribution without its permission is dropped later; whoever writes the manifest hears of it here. */
export function checkPermissions(
  { permissions = [], contributes = {} }: { permissions?: Permissions; contributes?: Contributes },
  findings: shape.Findings,
): void {
  const lacks = (name: Permissions[number]) => !permissions.includes('*') && !permissions.includes(name);
  if (contributes.ui?.length && lacks('ui.contribute')) {
    findings.problems.push('contributes.ui: needs "ui.contribute" in permissions');
  }
  const offersNothing = OFFERING_PERMISSIONS.every(lacks);
  if (offersNothing) {
    findings.warnings.push(
      'permissions: none lets this plugin offer anything, so nothing of it is used: "tools.register" is missing for its tools, "hooks.subscribe" is missing for its hooks, and a hook that is not called guards nothing',
    );
  } else if (lacks('tools.register') && contributes.tools?.length) {
    findings.warnings.push('permissions: "tools.register" is missing, so the tools of this plugin are not offered');
  }
  if (!offersNothing && lacks('hooks.subscribe') && contributes.hooks?.length) {
    findings.warnings.push(
      'permissions: "hooks.subscribe" is missing, so the hooks of this plugin are not called and guard nothing',
    );
  }
  if (lacks('channels.register') && contributes.channelProvider) {
    findings.warnings.push('permissions: "channels.register" is missing, so this plugin cannot be a channel');
  }
}
