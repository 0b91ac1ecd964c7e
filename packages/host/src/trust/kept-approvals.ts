import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type Session } from '@toolpost/protocol';
import { type ApprovedCall, approvalKey, approvalScope, boundArguments } from '../permissions/approval-key.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { writePrivateFile } from '../settings/write-private-file.ts';

/** A kept yes as people see it. `arguments` is JSON text, shortened, with known secrets masked. */
export interface KeptApproval {
  readonly id: string;
  readonly plugin: string;
  readonly tool: string;
  readonly arguments: string;
  readonly roots: readonly string[];
  readonly tenant: string;
  readonly user: string;
  /** ISO 8601. */
  readonly approvedAt: string;
}

export interface KeptApprovals {
  /** Whether the user has said "always" to this very call. */
  covers(call: ApprovedCall): boolean;
  /** @throws when the home directory cannot be written. */
  keep(call: ApprovedCall): void;
  /** Newest first. */
  list(): KeptApproval[];
  /** Those that hold for the tool as it is now, in such a session. */
  of(tool: RegisteredTool, session: Session): KeptApproval[];
  /** Takes a yes back by its id. Returns whether there was one. */
  forget(id: string): boolean;
}

const ID_LENGTH = 12;
const ID = /^[0-9a-f]{12}$/;
const MAX_SHOWN_ARGUMENTS = 2000;

/**
 * The answers "always", each a file of its own in the home directory: two hosts cannot lose each other's, what another
 * process takes back holds at once, and a file that is damaged costs one question.
 */
export function createKeptApprovals(homeDir: string, redact: (text: string) => string): KeptApprovals {
  const dir = join(homeDir, 'approvals');
  const fileOf = (key: string) => join(dir, `${key.slice(0, ID_LENGTH)}.json`);

  const readAll = () =>
    idsIn(dir)
      .map((id) => {
        const record = readRecord(join(dir, `${id}.json`));
        return { record, approval: toApproval(id, record) };
      })
      .sort((a, b) => b.approval.approvedAt.localeCompare(a.approval.approvedAt));

  return {
    covers(call) {
      const key = approvalKey(call);
      return readRecord(fileOf(key))?.key === key;
    },
    keep(call) {
      const key = approvalKey(call);
      writePrivateFile(
        fileOf(key),
        `${JSON.stringify({ key, scope: approvalScope(call.tool, call.session), ...describe(call, redact) })}\n`,
      );
    },
    list: () => readAll().map(({ approval }) => approval),
    of(tool, session) {
      const scope = approvalScope(tool, session);
      return readAll().flatMap(({ approval, record }) => (record?.scope === scope ? approval : []));
    },
    forget(id) {
      if (!idsIn(dir).includes(id)) return false;
      rmSync(join(dir, `${id}.json`), { force: true });
      return true;
    },
  };
}

function describe({ session, tool, input }: ApprovedCall, redact: (text: string) => string): Omit<KeptApproval, 'id'> {
  const { tenant, user, roots } = session;
  const text = redact(JSON.stringify(boundArguments(tool, input)));
  return {
    plugin: tool.plugin.id,
    tool: tool.definition.name,
    arguments: text.length > MAX_SHOWN_ARGUMENTS ? `${text.slice(0, MAX_SHOWN_ARGUMENTS).toWellFormed()}...` : text,
    roots,
    tenant,
    user,
    approvedAt: new Date().toISOString(),
  };
}

function idsIn(dir: string): string[] {
  try {
    return readdirSync(dir).flatMap((name) => {
      const id = name.replace(/\.json$/, '');
      return name !== id && ID.test(id) ? [id] : [];
    });
  } catch {
    // Nothing was kept yet.
    return [];
  }
}

/** A record that cannot be read approves nothing. */
function readRecord(file: string): JsonObject | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isJsonObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** One that is damaged is listed too, so that it can be taken away. */
function toApproval(id: string, record: JsonObject = {}): KeptApproval {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  const isRead = typeof record.key === 'string' && record.key.startsWith(id);
  return {
    id,
    plugin: text('plugin'),
    tool: isRead ? text('tool') : '(a damaged file, which approves nothing)',
    arguments: text('arguments'),
    roots: Array.isArray(record.roots) ? record.roots.filter((root) => typeof root === 'string') : [],
    tenant: text('tenant'),
    user: text('user'),
    approvedAt: text('approvedAt'),
  };
}
