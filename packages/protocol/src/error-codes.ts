/**
 * Every code of a HostError: what it means and what the operator does about it. docs/errors.md holds the same
 * table; a test keeps the two equal.
 */
export const ERROR_CODES = {
  MANIFEST_INVALID: {
    meaning: 'A plugin.json cannot be read or a field of it is wrong.',
    remedy: 'Correct the field that the message names, then run `toolpost plugins validate DIR`.',
  },
  PLUGIN_LOAD_FAILED: {
    meaning: 'A plugin could not be started or its module could not be imported.',
    remedy: 'Read the quoted last lines of its stderr; the whole log is in `logs/<plugin>.log` of the home directory.',
  },
  PROTOCOL_MISMATCH: {
    meaning: 'A plugin answered with something that its protocol does not allow.',
    remedy: 'Compare the quoted answer with docs/write-a-tool-in-any-language.md.',
  },
  PLUGIN_EXITED: {
    meaning: 'A plugin process ended while it was needed.',
    remedy: 'The message quotes its exit status and last lines of stderr; the next call starts it again.',
  },
  TOOL_NAME_TAKEN: {
    meaning: 'One plugin declares the same tool name twice, or a project plugin takes a name that is in use.',
    remedy: 'Rename the tool; prefix it with the plugin, as in `git_status`.',
  },
  CONFIG_INVALID: {
    meaning: 'A configuration file cannot be read or a value in it is wrong.',
    remedy: 'Correct the path that the message names.',
  },
  MODEL_FAILED: {
    meaning: 'A model specification is unknown or its provider refused the request.',
    remedy: 'Check the specification, the key and the address that the message names.',
  },
  SESSION_NOT_FOUND: {
    meaning: 'No session has this id.',
    remedy: 'List the sessions and take one of their ids.',
  },
  PLUGIN_NOT_FOUND: {
    meaning: 'No plugin has this id.',
    remedy: 'List the plugins and take one of their ids.',
  },
  UNAUTHORIZED: {
    meaning: 'A request to the server carries no token, or one that is not known.',
    remedy:
      'Send `Authorization: Bearer TOKEN`; the token of a server is in `tokens/<port>` of its home directory, or in TOOLPOST_TOKEN.',
  },
  FORBIDDEN: {
    meaning: 'A request to the server is not one that its token, page or address may make.',
    remedy: 'Do what the message says.',
  },
  REQUEST_INVALID: {
    meaning: 'A request to the server cannot be understood.',
    remedy: 'Correct the field that the message names; `/openapi.json` of the server describes every request.',
  },
  NOT_FOUND: {
    meaning: 'The server has nothing under this address.',
    remedy: 'Check the address against `/openapi.json` of the server.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The server has something under this address, but not for this method.',
    remedy: 'Use one of the methods that the message and the `Allow` header name.',
  },
  RUNS_ELSEWHERE: {
    meaning: 'A turn of this session runs in another process of the same home, which alone can do what was asked.',
    remedy: 'Do it at the process that the message names, or end that process.',
  },
  SERVER_BUSY: {
    meaning: 'The server has as much to do for this session as it takes on.',
    remedy: 'Wait until turns have ended, then ask again.',
  },
  SERVER_FAILED: {
    meaning: 'The server cannot listen, or came to a state that it should not.',
    remedy: 'Choose another port, or report what the message says.',
  },
  SESSION_STORE_FAILED: {
    meaning: 'The sessions database in the home directory cannot be opened, read or written.',
    remedy: 'Do what the message says: make room, give the right to write, update Toolpost, or move the file away.',
  },
  CONNECTION_CLOSED: {
    meaning: 'The other side of a connection went away, or the host is closing.',
    remedy: 'Start it again; work that was in flight has an outcome of its own.',
  },
} as const satisfies Record<string, { meaning: string; remedy: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Thrown to the operator, never to the model. `message` names the thing, the place and the remedy. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: ErrorCode;
  readonly pluginId: string | undefined;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; pluginId?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.pluginId = options.pluginId;
  }
}
