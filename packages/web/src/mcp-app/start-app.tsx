import { BLOCKS_MODE, isJsonObject, type JsonObject, TOOLPOST_VERSION } from '@toolpost/protocol';
import { listenForActions } from '../frame/actions.ts';
import { watchHeight } from '../frame/height.ts';
import { createNotice } from '../frame/notice.ts';
import type { Places } from '../frame/places.ts';
import { setScheme } from '../frame/scheme.ts';
import blocksCss from '../renderers/blocks/blocks.css?inline';
import appCss from './app.css?inline';
import { createActions } from './app-actions.ts';
import type { AppSettings } from './app-settings.ts';
import type { AppView } from './app-view.ts';
import { createBlocksView } from './blocks-view.tsx';
import { createCodeView } from './code-view.ts';
import { linkTo, type RpcLink, UnknownMethod } from './rpc-link.ts';

const VERSION = '2026-01-26';
const CANCELLED: JsonObject = { content: [{ type: 'text', text: 'The call was cancelled.' }], isError: true };

/** Runs the page by MCP Apps: introduces it to the client around it, and draws what the client tells of the call. */
export async function startApp(settings: AppSettings, { root, notice }: Places): Promise<void> {
  const style = document.createElement('style');
  style.textContent = blocksCss + appCss;
  document.head.append(style);
  const say = createNotice(notice);
  let context: JsonObject = {};
  const link: RpcLink = linkTo(parent, {
    onRequest(method) {
      if (method === 'ping' || method === 'ui/resource-teardown') return {};
      throw new UnknownMethod(method);
    },
    onNotification: (method, params) => take(method, params),
  });
  const actions = createActions({
    link,
    say,
    toolName: () => settings.tool ?? toolOf(context),
    onCode: (code) => view.showCode?.(code),
  });
  const view: AppView =
    settings.mode === BLOCKS_MODE ? createBlocksView(root, actions) : createCodeView(root, settings, say);

  function learn(more: JsonObject): void {
    context = { ...context, ...more };
    if (context.theme === 'light' || context.theme === 'dark') setScheme(context.theme);
  }

  function take(method: string, params: JsonObject): void {
    const given = isJsonObject(params.arguments) ? params.arguments : {};
    if (method === 'ui/notifications/tool-input-partial') view.showArguments(given, false);
    else if (method === 'ui/notifications/tool-input') view.showArguments(given, true);
    else if (method === 'ui/notifications/tool-result') {
      actions.learnCall(params);
      view.showResult(params);
    } else if (method === 'ui/notifications/tool-cancelled') view.showResult(CANCELLED);
    else if (method === 'ui/notifications/host-context-changed') learn(params);
  }

  listenForActions((action) => void actions.act(action));
  listenForLinks(link);
  watchHeight(root, (height) => link.notify('ui/notifications/size-changed', { height, width: root.clientWidth }));
  const appInfo = { name: 'toolpost', title: 'Toolpost', version: TOOLPOST_VERSION };
  const hello = await link.request('ui/initialize', { protocolVersion: VERSION, appInfo, appCapabilities: {} });
  actions.learnHost(isJsonObject(hello.hostCapabilities) ? hello.hostCapabilities : {});
  learn(isJsonObject(hello.hostContext) ? hello.hostContext : {});
  link.notify('ui/notifications/initialized', {});
}

function toolOf({ toolInfo }: JsonObject): string | undefined {
  const tool = isJsonObject(toolInfo) && isJsonObject(toolInfo.tool) ? toolInfo.tool.name : undefined;
  return typeof tool === 'string' ? tool : undefined;
}

/** The frame itself goes nowhere: the client opens a link, when its user wants it. */
function listenForLinks(link: RpcLink): void {
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    const url = anchor?.getAttribute('href') ?? '';
    if (/^https?:/i.test(url)) link.request('ui/open-link', { url }).catch(() => undefined);
  });
}
