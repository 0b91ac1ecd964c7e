// The three ways of writing a tool in TypeScript, from the shortest to the one with everything.
import {
  buildToolDef,
  definePlugin,
  defineTool,
  formatToolResult,
  newToolError,
  newToolResult,
  toolFromFunc,
  toolFromJsonFunc,
} from '@toolpost/sdk';

// Option 1: a definition of short parameters, and a function that gets the parsed input.
const hello = defineTool({
  def: buildToolDef('hello', 'Greet someone by name. Returns a friendly greeting message.', {
    name: 'name',
    type: 'string',
    description: 'The person to greet',
  }),
  primaryArg: 'name',
  execute: ({ name }) => newToolResult(`Hello, ${name || 'World'}! 👋`),
});

// Option 2: a plain function of the arguments' JSON text ...
const double = toolFromFunc('double', 'Doubles a number. Send it as {"number": 21}.', (input) => {
  const doubled = 2 * Number((JSON.parse(input) as { number?: unknown }).number);
  if (Number.isNaN(doubled)) throw new Error('send the number to double, as in {"number": 21}');
  return String(doubled);
});

// ... or of JSON, whose return value becomes the result.
const weather = toolFromJsonFunc(
  'weather',
  'Get the weather of a city. The numbers are made up.',
  [{ name: 'city', type: 'string', description: 'The city', required: true }],
  (input) => {
    const { city } = JSON.parse(input) as { city: string };
    return { city, temp: 21 };
  },
);

// Option 3: the full context of the call, and an output that streams.
const sessionInfo = defineTool({
  name: 'session_info',
  description: 'Tell about the session and the call that this tool runs in.',
  execute(_input, context) {
    const { session, roots, toolCallId } = context;
    if (roots.length === 0) return newToolError('This session grants no directory. Start it with --root DIR.');
    context.output('looking at the session\n');
    return formatToolResult('Session', {
      call: toolCallId,
      channel: session.channel,
      id: session.id,
      root: roots[0] ?? '',
    });
  },
});

export default definePlugin({ tools: [hello, double, weather, sessionInfo] });
