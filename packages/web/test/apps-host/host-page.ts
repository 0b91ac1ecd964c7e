import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

type Params = Record<string, unknown>;

/** What the test answers for the client that this page is. */
interface TestWindow {
  /** A request of the app to its server. */
  callTool(params: Params): Promise<never>;
  /** What the app told, in order. */
  told: (readonly [string, unknown])[];
  /** Shows a page by MCP Apps in a frame, as a client does; ready when it has introduced itself. */
  openApp(html: string, tool?: Params): Promise<void>;
  /** What the client tells the app. */
  tell(
    method: 'sendToolInputPartial' | 'sendToolInput' | 'sendToolResult' | 'setHostContext',
    params: Params,
  ): Promise<void>;
  teardown(): Promise<unknown>;
}

const page = window as unknown as TestWindow;
let bridge: AppBridge;
page.told = [];

page.openApp = async (html, tool) => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.cssText = 'width: 700px; height: 500px; border: 0';
  document.body.replaceChildren(frame);
  const capabilities = { serverTools: {}, openLinks: {}, message: { text: {} } };
  const hostContext = { theme: 'dark' as const, ...(tool && { toolInfo: { tool: tool as never } }) };
  bridge = new AppBridge(null, { name: 'test', version: '1.0.0' }, capabilities, { hostContext });
  bridge.oncalltool = (params) => page.callTool(params as unknown as Params);
  bridge.onmessage = async (params) => {
    page.told.push(['message', params]);
    return {};
  };
  bridge.onopenlink = async (params) => {
    page.told.push(['open-link', params]);
    return {};
  };
  bridge.addEventListener('sizechange', (params) => page.told.push(['size', params]));
  const ready = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()));
  const target = frame.contentWindow;
  if (!target) throw new Error('the frame has no window');
  await bridge.connect(new PostMessageTransport(target, target));
  frame.srcdoc = html;
  await ready;
};

page.tell = async (method, params) => {
  await bridge[method](params as never);
};
page.teardown = () => bridge.teardownResource({});
