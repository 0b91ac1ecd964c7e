import { defineTool, newToolError, type ToolCallContext } from '@toolpost/sdk';

const inputSchema = { type: 'object', properties: {} };

const form = (
  name: string,
  message: string,
  properties: Record<string, unknown>,
  required = Object.keys(properties),
) => ({
  name,
  message,
  schema: { type: 'object', properties, required },
});

const userMessage = (words: string) => ({ role: 'user', content: { type: 'text', text: words } });

/** The client's model; fails where the client has none to offer. */
function sample({ requestClient }: ToolCallContext, words: string, { name = '', maxTokens = 100 } = {}) {
  if (!requestClient) throw new Error('there is no client to ask');
  const params = { messages: [userMessage(words)], maxTokens };
  return requestClient({ method: 'sampling/createMessage', params, ...(name && { name }) });
}

function rootsOf({ requestClient }: ToolCallContext, name: string) {
  if (!requestClient) throw new Error('there is no client to ask');
  return requestClient({ method: 'roots/list', name });
}

const CONFIRM = form('confirm', 'Please confirm', { ok: { type: 'boolean' } });

export const askingTools = [
  defineTool({
    name: 'test_sampling',
    description: "Asks the client's model.",
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async execute({ prompt }, context) {
      const { content } = await sample(context, String(prompt));
      return `LLM response: ${JSON.stringify(content)}`;
    },
  }),
  defineTool({
    name: 'test_elicitation',
    description: 'Asks the user.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    async execute({ message }, { ask }) {
      const answer = await ask(
        form('response', String(message), {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        }),
      );
      return `User response: ${JSON.stringify(answer)}`;
    },
  }),
  defineTool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a default of every kind.',
    inputSchema,
    async execute(_input, { ask }) {
      const properties = {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      };
      const { action, content } = await ask(form('defaults', 'Please review', properties, []));
      return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
    },
  }),
  defineTool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with an enum of every kind.',
    inputSchema,
    async execute(_input, { ask }) {
      const options = ['option1', 'option2', 'option3'];
      const titled = (word: string) =>
        ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${word}` }));
      const properties = {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      };
      const { action, content } = await ask(form('enums', 'Please choose', properties, []));
      return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
    },
  }),
  defineTool({
    name: 'test_missing_capability',
    description: 'Needs what the client did not declare.',
    inputSchema,
    execute: async (_input, context) => JSON.stringify(await sample(context, 'Hello?')),
  }),
  defineTool({
    name: 'test_streaming_elicitation',
    description: 'Tells its progress, then asks.',
    inputSchema,
    async execute(_input, { ask, output }) {
      output('one moment\n');
      const { action } = await ask(CONFIRM);
      return `The user's answer: ${action}`;
    },
  }),
  defineTool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name.',
    inputSchema,
    async execute(_input, { ask }) {
      const { content } = await ask(form('user_name', 'What is your name?', { name: { type: 'string' } }));
      return `Hello, ${content?.name}!`;
    },
  }),
  defineTool({
    name: 'test_input_required_result_sampling',
    description: "Asks the client's model for a capital.",
    inputSchema,
    async execute(_input, context) {
      const { content } = await sample(context, 'What is the capital of France?', { name: 'capital_question' });
      return JSON.stringify(content);
    },
  }),
  defineTool({
    name: 'test_input_required_result_list_roots',
    description: "Asks for the client's roots.",
    inputSchema,
    async execute(_input, context) {
      const { roots } = await rootsOf(context, 'client_roots');
      return `The roots: ${JSON.stringify(roots)}`;
    },
  }),
  defineTool({
    name: 'test_input_required_result_request_state',
    description: 'Asks, and goes on where it was.',
    inputSchema,
    async execute(_input, { ask }) {
      const { content } = await ask(CONFIRM);
      return content?.ok === true ? 'state-ok' : newToolError('It was not confirmed.');
    },
  }),
  defineTool({
    name: 'test_input_required_result_tampered_state',
    description: 'Asks, and is not gone on with by another state.',
    inputSchema,
    execute: async (_input, { ask }) => JSON.stringify(await ask(CONFIRM)),
  }),
  defineTool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks for three things at once.',
    inputSchema,
    async execute(_input, context) {
      const [user, greeting, roots] = await Promise.all([
        context.ask(form('user_name', 'What is your name?', { name: { type: 'string' } })),
        sample(context, 'Generate a greeting', { name: 'greeting', maxTokens: 50 }),
        rootsOf(context, 'client_roots'),
      ]);
      return JSON.stringify({ user: user.content, greeting: greeting.content, roots: roots.roots });
    },
  }),
  defineTool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice.',
    inputSchema,
    async execute(_input, { ask }) {
      const first = await ask(form('step1', 'Step 1: What is your name?', { name: { type: 'string' } }));
      const second = await ask(form('step2', 'Step 2: What is your favorite color?', { color: { type: 'string' } }));
      return `${first.content?.name} likes ${second.content?.color}.`;
    },
  }),
  defineTool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks only for what the client declared.',
    inputSchema,
    async execute(_input, context) {
      const { action } = await context.ask(form('who', 'Who are you?', { name: { type: 'string' } }));
      if (action !== 'cancel') return 'The user was asked.';
      const { content } = await sample(context, 'Who is asking?', { name: 'who_asks' });
      return JSON.stringify(content);
    },
  }),
];
