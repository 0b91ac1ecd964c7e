import { isJsonObject, type Session, type UiAction } from '@toolpost/protocol';

const MAX_DATA_CHARS = 64 * 1024;
const MAX_ERROR_CHARS = 2048;

/** What is kept of something that somebody did in an interface, or that its code did by itself. */
export interface UiActionEntry {
  /** ISO 8601, UTC. */
  at: string;
  type: 'ui-action';
  session: string;
  channel: string;
  tenant?: string;
  user?: string;
  tool: string;
  plugin: string;
  /** The call that drew the interface; absent where it is not known. */
  toolCallId?: string;
  action: string;
  /** JSON text, cut at 64 Ki characters. */
  data: string;
  /** What became of it at its plugin; one that does not handle it leaves it to the user. */
  outcome: 'completed' | 'failed' | 'not-handled';
  error?: string;
  durationMs: number;
}

export interface EndedUiAction {
  readonly action: UiAction;
  readonly plugin: string;
  readonly session: Session;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** What the plugin gave; absent where it does not handle the action or failed. */
  readonly value?: unknown;
  readonly error?: Error | undefined;
  readonly isHandled: boolean;
}

/** One action as a line of the journal. */
export function toUiActionLine({ action, plugin, session, startedAt, ...ended }: EndedUiAction): string {
  const { id, channel, tenant, user } = session;
  const hasFailed = ended.error !== undefined || (isJsonObject(ended.value) && ended.value.isError === true);
  const entry: UiActionEntry = {
    at: new Date(startedAt).toISOString(),
    type: 'ui-action',
    ...{ session: id, channel, ...(tenant !== '' && { tenant }), ...(user !== '' && { user }) },
    ...{ tool: action.toolName, plugin, ...(action.toolCallId !== '' && { toolCallId: action.toolCallId }) },
    action: action.action,
    data: JSON.stringify(action.data).slice(0, MAX_DATA_CHARS).toWellFormed(),
    outcome: hasFailed ? 'failed' : ended.isHandled ? 'completed' : 'not-handled',
    ...(ended.error && { error: ended.error.message.slice(0, MAX_ERROR_CHARS).toWellFormed() }),
    durationMs: Date.now() - startedAt,
  };
  return JSON.stringify(entry);
}
