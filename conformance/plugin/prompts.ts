import type { PluginPrompt } from '@toolpost/sdk';
import { PNG } from './media.ts';

const fromUser = (content: object) => ({ role: 'user', content });
const text = (words: string) => fromUser({ type: 'text', text: words });

export const prompts: PluginPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'One message.',
    get: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'One message of two arguments.',
    arguments: [
      {
        name: 'arg1',
        description: 'First test argument',
        required: true,
        complete: (value) => ['test one', 'test two', 'paris'].filter((one) => one.startsWith(value)),
      },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A message with a resource.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    get: ({ resourceUri }) => [
      fromUser({
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      text('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A message with an image.',
    get: () => [fromUser({ type: 'image', data: PNG, mimeType: 'image/png' }), text('Please analyze the image above.')],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks the user for a context.',
    async get(_given, { ask }) {
      const { content } = await ask({
        name: 'user_context',
        message: 'What context should the prompt use?',
        schema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
      });
      return `Use this context: ${content?.context}`;
    },
  },
];
