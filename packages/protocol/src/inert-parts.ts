import { SILENT_HOOK_EVENTS } from './hook-events.ts';
import type { Permission } from './manifest.ts';

/** Contributions of the earlier systems that nothing here uses. */
export const INERT_CONTRIBUTIONS = ['ui', 'crons', 'commands', 'themes', 'overlays'] as const;

/** Permissions for what does not exist here: they are taken, and gate nothing. */
export const INERT_PERMISSIONS: readonly Permission[] = [
  'network.outbound',
  'notifications.send',
  'commands.register',
  'cron.schedule',
  'ui.themes',
  'ui.overlay',
];

interface Declared {
  readonly permissions?: readonly string[];
  readonly dependencies?: readonly unknown[];
  readonly web?: unknown;
  readonly contributes?: {
    readonly hooks?: readonly { readonly event: string }[];
    readonly [other: string]: unknown;
  };
}

/** What of a manifest is accepted, so that plugins of the earlier systems load, and has no effect; as it is written there. */
export function inertParts({ permissions = [], dependencies = [], web, contributes = {} }: Declared): string[] {
  const silent = contributes.hooks?.filter(({ event }) => SILENT_HOOK_EVENTS.some((one) => one === event)) ?? [];
  return [
    ...(dependencies.length > 0 ? ['dependencies'] : []),
    ...(web === undefined ? [] : ['web']),
    ...INERT_CONTRIBUTIONS.filter((key) => isFilled(contributes[key])).map((key) => `contributes.${key}`),
    ...[...new Set(silent.map(({ event }) => `contributes.hooks (${event})`))],
    ...INERT_PERMISSIONS.filter((name) => permissions.includes(name)).map((name) => `permissions ("${name}")`),
  ];
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
