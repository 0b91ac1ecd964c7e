import { createHash } from 'node:crypto';
import type { JsonObject, Session } from '@toolpost/protocol';
import { canonicalJson } from '../registry/canonical-json.ts';
import { definitionHash } from '../registry/definition-hash.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';

/** A call that the session's user has said yes to. */
export interface ApprovedCall {
  readonly session: Session;
  readonly tool: RegisteredTool;
  /** The final arguments. */
  readonly input: JsonObject;
}

/**
 * SHA-256 (hex) over everything that a remembered yes is bound to: the user, the roots, the plugin and where it was
 * found, the tool's definition, and the final arguments.
 */
export function approvalKey({ session, tool, input }: ApprovedCall): string {
  return hashOf({ scope: approvalScope(tool, session), arguments: boundArguments(tool, input) });
}

/**
 * The same over all of that but the arguments. Whose a session is counts beside its id: an embedding program may take
 * the id from a client, the user never.
 */
export function approvalScope({ plugin, definition }: RegisteredTool, { tenant, user, roots }: Session): string {
  const { id, origin } = plugin;
  return hashOf({ tenant, user, roots, plugin: id, origin, definition: definitionHash(definition) });
}

/**
 * All final arguments. Of the built-in `bash` it is the very text of the command line: how a model describes it and how
 * long it may take change nothing about what it does.
 */
export function boundArguments({ plugin, definition }: RegisteredTool, input: JsonObject): JsonObject {
  const { command } = input;
  const isShell = plugin.origin === 'builtin' && definition.name === 'bash';
  return isShell && typeof command === 'string' ? { command } : input;
}

function hashOf(bound: JsonObject): string {
  return createHash('sha256').update(canonicalJson(bound)).digest('hex');
}
