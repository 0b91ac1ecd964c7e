import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { CallSubject } from './call-subject.ts';
import { looksSecret, protectedPart } from './sensitive-paths.ts';
import { protectedMention } from './shell-line.ts';

/** What happens where no rule matches (design section 6). `reads`: allowed inside the roots, except for secrets. */
export type DefaultPolicy = 'reads' | 'bundled' | 'asks';

const READERS = new Set(['read', 'glob', 'grep']);
const OUTSIDE = /(?:^|[\\/{,])\.\.(?:[\\/},]|$)/;

/** A default belongs to a plugin's tool: no other plugin's tool of that name inherits it. */
export function defaultPolicyOf({ plugin, definition }: RegisteredTool, shadowsAnother: boolean): DefaultPolicy {
  if (plugin.origin === 'builtin') return READERS.has(definition.name) ? 'reads' : 'asks';
  return plugin.origin === 'bundled' && !shadowsAnother ? 'bundled' : 'asks';
}

export function describeDefault(policy: DefaultPolicy): string {
  if (policy === 'asks') return 'asks before each call';
  const where = policy === 'reads' ? 'allowed inside the roots' : 'allowed, as it is bundled';
  return `${where}; files that look like secrets ask`;
}

export interface DefaultContext {
  /** Whether `read` and `grep` may open this file outside the roots: a full-output file of the session. */
  isOwnOutput(absolutePath: string): boolean;
}

/** Why the default asks for this call, or nothing when it allows it. */
export function whyDefaultAsks(
  policy: DefaultPolicy,
  subject: CallSubject,
  context: DefaultContext,
): string | undefined {
  const { name } = subject.request.tool.definition;
  if (policy === 'asks') return `${name} asks before each call`;
  const secret = secretOf(subject);
  if (secret !== undefined) return `${secret} looks like it holds a secret`;
  const outside = policy === 'reads' ? outsideOf(subject, context) : undefined;
  return outside === undefined ? undefined : `${outside} is outside the roots`;
}

/** The place that the call may write to and that no rule makes writable without asking. */
export function protectedPlace(policy: DefaultPolicy, subject: CallSubject): string | undefined {
  if (subject.kind === 'shell') return protectedMention(subject.primaryText ?? '');
  if (policy === 'reads') return undefined;
  for (const { absolute } of subject.paths) {
    const part = protectedPart(absolute);
    if (part !== undefined) return part;
  }
  return undefined;
}

function secretOf(subject: CallSubject): string | undefined {
  const found = subject.paths.find(({ absolute }) => looksSecret(absolute));
  if (found) return found.absolute;
  const { tool, input } = subject.request;
  const filter = tool.definition.name === 'grep' ? input.glob : undefined;
  return typeof filter === 'string' && looksSecret(filter) ? filter : undefined;
}

function outsideOf(subject: CallSubject, { isOwnOutput }: DefaultContext): string | undefined {
  const { tool, input } = subject.request;
  const isOutside = ({ absolute, inRoots }: CallSubject['paths'][number]) =>
    inRoots.length === 0 && !isOwnOutput(absolute);
  const found = subject.places.find(isOutside);
  if (found) return found.absolute === '' ? 'a path of that length' : found.absolute;
  const pattern = tool.definition.name === 'glob' ? input.pattern : undefined;
  return typeof pattern === 'string' && leavesRoots(pattern, subject) ? pattern : undefined;
}

/** A glob that climbs, or starts at an absolute folder outside the roots. */
function leavesRoots(pattern: string, subject: CallSubject): boolean {
  if (OUTSIDE.test(pattern) || pattern.startsWith('~')) return true;
  const fixed = pattern.split(/[*?{[(!]/, 1)[0] ?? '';
  return /^(?:[\\/]|[a-zA-Z]:)/.test(pattern) && subject.locate(fixed === '' ? '/' : fixed).inRoots.length === 0;
}
