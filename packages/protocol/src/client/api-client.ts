import type { JsonObject } from '../json.ts';
import type { CallRecord } from '../tool-call.ts';
import type {
  AcceptedTurn,
  AnswerApproval,
  AnswerForm,
  ApiCallList,
  ApiModels,
  ApiPlugin,
  ApiPluginReload,
  ApiSessionDetail,
  ApiSessionList,
  ApiStatus,
  ApiTool,
  ApiWhy,
  AppPage,
  AppRequestOfApi,
  CreateSession,
  HandledUiAction,
  ListSessions,
  PendingApprovalOfApi,
  PendingFormOfApi,
  PostMessage,
  PostUiAction,
} from './api-types.ts';
import { type FollowOptions, followEvents } from './follow-events.ts';
import { type ClientOptions, type RequestOptions, send } from './request.ts';

/** The requests of a Toolpost server. Each throws ApiError with the server's words. */
export interface ApiClient {
  status(): Promise<ApiStatus>;
  models(): Promise<ApiModels>;
  listSessions(query?: ListSessions): Promise<ApiSessionList>;
  createSession(session?: CreateSession): Promise<ApiSessionDetail>;
  getSession(id: string): Promise<ApiSessionDetail>;
  renameSession(id: string, title: string): Promise<ApiSessionDetail>;
  /** Another model from the next turn on. */
  setModel(id: string, model: string): Promise<ApiSessionDetail>;
  deleteSession(id: string): Promise<void>;
  forkSession(id: string): Promise<ApiSessionDetail>;
  clearSession(id: string): Promise<void>;
  /** False when no summary came of it; a `warning` event says why. */
  compactSession(id: string): Promise<boolean>;
  exportSession(id: string, format: 'markdown' | 'json'): Promise<string>;
  /** Asks for a turn. What happens in it comes as events. */
  postMessage(id: string, message: PostMessage): Promise<AcceptedTurn>;
  history(id: string): Promise<readonly JsonObject[]>;
  /** How many turns it cancelled. */
  cancel(id: string): Promise<number>;
  approvals(id: string): Promise<readonly PendingApprovalOfApi[]>;
  answerApproval(id: string, approvalId: string, answer: AnswerApproval): Promise<void>;
  /** The forms of tools that wait to be filled in. */
  forms(id: string): Promise<readonly PendingFormOfApi[]>;
  answerForm(id: string, formId: string, answer: AnswerForm): Promise<void>;
  /** Tells of what somebody did in an interface that a call has drawn. */
  uiAction(id: string, action: PostUiAction): Promise<HandledUiAction>;
  /** Sends the card of an action on: a turn begins with it, as what the interface said. */
  sendUiAction(id: string, actionId: string): Promise<AcceptedTurn>;
  /** The page of a call's server, by MCP Apps. */
  appPage(id: string, callId: string): Promise<AppPage>;
  /** What that page asks its server for. */
  appRequest(id: string, callId: string, request: AppRequestOfApi): Promise<JsonObject>;
  /** Events through cuts and restarts, until the signal aborts. */
  follow(options: FollowOptions): Promise<string | undefined>;
  /** What a session sees; a new one when no id is given. */
  tools(sessionId?: string): Promise<readonly ApiTool[]>;
  why(name: string, sessionId?: string): Promise<ApiWhy>;
  calls(id: string, page?: { after?: number; limit?: number }): Promise<ApiCallList>;
  call(id: string, callId: string): Promise<CallRecord>;
  /** The whole text of a result. */
  callOutput(id: string, callId: string): Promise<string>;
  /** What the journal keeps of your calls of a day (of UTC, today when absent), the newest last. */
  journal(query?: {
    day?: string;
    sessionId?: string;
    callId?: string;
    limit?: number;
  }): Promise<readonly JsonObject[]>;
  plugins(): Promise<readonly ApiPlugin[]>;
  /** Finds plugins that are new, changed or gone since the server read them. The operator's alone. */
  reloadPlugins(): Promise<ApiPluginReload>;
  restartPlugin(id: string): Promise<void>;
  stopPlugin(id: string): Promise<void>;
  /** A link that opens the server's page once with this client's token. */
  createLink(): Promise<string>;
}

/** A client of the server at `baseUrl`. It runs in browsers and Node alike: `environment: globalThis`. */
export function createApiClient(client: ClientOptions): ApiClient {
  const text = async (path: string, options?: RequestOptions) => (await send(client, path, options)).text();
  const json = async <T>(path: string, options?: RequestOptions): Promise<T> => JSON.parse(await text(path, options));
  const post = <T>(path: string, body?: unknown) => json<T>(path, { method: 'POST', body });
  const act = async (path: string, options: RequestOptions = { method: 'POST' }) => void (await text(path, options));
  const at = (id: string, rest = '') => `/api/sessions/${encodeURIComponent(id)}${rest}`;
  const callAt = (id: string, callId: string) => at(id, `/calls/${encodeURIComponent(callId)}`);
  const pluginAt = (id: string, act: string) => `/api/plugins/${encodeURIComponent(id)}/${act}`;
  return {
    status: () => json('/api/status'),
    models: () => json('/api/models'),
    listSessions: (query = {}) => json('/api/sessions', { query }),
    createSession: (session = {}) => post('/api/sessions', session),
    getSession: (id) => json(at(id)),
    renameSession: (id, title) => json(at(id), { method: 'PATCH', body: { title } }),
    setModel: (id, model) => json(at(id), { method: 'PATCH', body: { model } }),
    deleteSession: (id) => act(at(id), { method: 'DELETE' }),
    forkSession: (id) => post(at(id, '/fork')),
    clearSession: (id) => act(at(id, '/clear')),
    compactSession: async (id) => (await post<{ compacted: boolean }>(at(id, '/compact'))).compacted,
    exportSession: (id, format) => text(at(id, '/export'), { query: { format } }),
    postMessage: (id, message) => post(at(id, '/messages'), message),
    history: async (id) => (await json<{ messages: JsonObject[] }>(at(id, '/messages'))).messages,
    cancel: async (id) => (await post<{ cancelled: number }>(at(id, '/cancel'))).cancelled,
    approvals: async (id) => (await json<{ approvals: PendingApprovalOfApi[] }>(at(id, '/approvals'))).approvals,
    answerApproval: (id, approvalId, answer) =>
      act(at(id, `/approvals/${encodeURIComponent(approvalId)}`), { method: 'POST', body: answer }),
    forms: async (id) => (await json<{ forms: PendingFormOfApi[] }>(at(id, '/forms'))).forms,
    answerForm: (id, formId, answer) =>
      act(at(id, `/forms/${encodeURIComponent(formId)}`), { method: 'POST', body: answer }),
    uiAction: (id, action) => post(at(id, '/ui-actions'), action),
    sendUiAction: (id, actionId) => post(at(id, `/ui-actions/${encodeURIComponent(actionId)}/send`)),
    appPage: (id, callId) => json(`${callAt(id, callId)}/app`),
    appRequest: async (id, callId, request) =>
      (await post<{ result: JsonObject }>(`${callAt(id, callId)}/app/requests`, request)).result,
    follow: (options) => followEvents(client, options),
    tools: async (id) => (await json<{ tools: ApiTool[] }>(id === undefined ? '/api/tools' : at(id, '/tools'))).tools,
    why: (name, id) => json(`${id === undefined ? '/api' : at(id)}/why/${encodeURIComponent(name)}`),
    calls: (id, page = {}) => json(at(id, '/calls'), { query: page }),
    call: (id, callId) => json(callAt(id, callId)),
    callOutput: (id, callId) => text(`${callAt(id, callId)}/output`),
    journal: async (query = {}) => (await json<{ entries: JsonObject[] }>('/api/journal', { query })).entries,
    plugins: async () => (await json<{ plugins: ApiPlugin[] }>('/api/plugins')).plugins,
    reloadPlugins: () => post('/api/plugins/reload'),
    restartPlugin: (id) => act(pluginAt(id, 'restart')),
    stopPlugin: (id) => act(pluginAt(id, 'stop')),
    createLink: async () => (await post<{ url: string }>('/api/links')).url,
  };
}
