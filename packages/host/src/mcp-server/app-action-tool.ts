import type { JsonObject } from '@toolpost/protocol';

/** By which the page of a tool tells its plugin what somebody did in it. Clients show it to no model. */
export const ACTION_TOOL_NAME = 'toolpost_ui_action';

export const ACTION_TOOL: JsonObject = {
  name: ACTION_TOOL_NAME,
  title: 'Act in an interface',
  description: 'Tells the plugin of a tool what somebody did in what the tool has drawn. For its page alone.',
  inputSchema: {
    type: 'object',
    properties: { tool: { type: 'string' }, action: { type: 'string' }, data: { type: 'object' } },
    required: ['tool', 'action'],
  },
  _meta: { ui: { visibility: ['app'] } },
};
