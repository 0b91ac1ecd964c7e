import type { ToolUi } from '@toolpost/protocol';

/**
 * A page by MCP Apps that shows what a tool draws: the argument `param` as it comes, then the result's `ui_code`. Markup
 * is shown in a frame without any right, since it is a model's or a plugin's; other code as text. It loads nothing.
 */
export function uiPage({ mode, param }: ToolUi): string {
  // `<` could end the script.
  const settings = JSON.stringify({ mode, param }).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>Toolpost</title>
<style>
  html, body { margin: 0; font: 14px system-ui, sans-serif; }
  iframe { display: block; width: 100%; height: 360px; border: 0; }
  pre { margin: 0; padding: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<main></main>
<script>
const settings = ${settings};
const main = document.querySelector('main');
let shown;

function show(code) {
  if (typeof code !== 'string' || code === shown) return;
  shown = code;
  const isMarkup = settings.mode === 'html' || /^\\s*</.test(code);
  const view = document.createElement(isMarkup ? 'iframe' : 'pre');
  if (isMarkup) {
    view.sandbox = '';
    view.srcdoc = code;
  } else view.textContent = code;
  main.replaceChildren(view);
  send({ method: 'ui/notifications/size-changed', params: { height: document.documentElement.scrollHeight } });
}

function send(message) {
  parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
}

function drawnBy({ _meta = {}, structuredContent = {} }) {
  const { ui_code: code } = _meta['toolpost/metadata'] ?? {};
  return code ?? structuredContent.ui_code;
}

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  const { id, method, params = {} } = data;
  if (id === 1 && method === undefined) send({ method: 'ui/notifications/initialized', params: {} });
  else if (method === 'ui/notifications/tool-input' || method === 'ui/notifications/tool-input-partial')
    show(params.arguments?.[settings.param]);
  else if (method === 'ui/notifications/tool-result') show(drawnBy(params));
  else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
});
send({
  id: 1,
  method: 'ui/initialize',
  params: { protocolVersion: '2026-01-26', appInfo: { name: 'toolpost', version: '1.0.0' }, appCapabilities: {} },
});
</script>
</html>
`;
}
