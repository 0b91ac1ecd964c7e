import type {
  JSONSchema7,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDemoModel } from './demo-model.ts';

type Properties = Record<string, JSONSchema7>;

function tool(name: string, description: string, schema: [Properties, string[]?]): LanguageModelV4FunctionTool {
  const [properties, required = []] = schema;
  return { type: 'function', name, description, inputSchema: { type: 'object', properties, required } };
}

const text: JSONSchema7 = { type: 'string' };
const tools = [
  tool('bash', 'Run a shell command in the first root and return its output.', [
    { command: text, timeout: { type: 'number' }, description: text },
    ['command'],
  ]),
  tool('demo_count', 'Counts to a number, one line at a time.', [{ to: { type: 'integer' } }, ['to']]),
  tool('demo_countdown', 'Counts down to zero, one line a step.', [{ start: { type: 'integer' } }]),
  tool('days_between', 'Counts the days between two dates.', [
    { first: { type: 'string', format: 'date' }, last: { type: 'string', format: 'date' } },
    ['first', 'last'],
  ]),
  tool('double', 'Doubles a text.', [{ text }, ['text']]),
  tool('edit', 'Replace text in a file.', [
    { file_path: text, old_string: text, new_string: text, replace_all: { type: 'boolean' } },
    ['file_path', 'old_string', 'new_string'],
  ]),
  tool('glob', 'Find files by a glob pattern.', [{ pattern: text, path: text }, ['pattern']]),
  tool('grep', 'Search the content of files for a regular expression.', [
    { pattern: text, path: text, glob: text, ignore_case: { type: 'boolean' } },
    ['pattern'],
  ]),
  tool('hello', 'Greet someone by name. Returns a friendly greeting message.', [
    { name: { type: 'string', description: 'The person to greet' } },
  ]),
  tool('python_greet', 'Greet someone by name.', [{ name: text }, ['name']]),
  tool('read', 'Read a text file.', [
    { file_path: text, offset: { type: 'integer' }, limit: { type: 'integer' } },
    ['file_path'],
  ]),
  tool('set_light', 'Switch a lamp.', [
    { color: { enum: ['red', 'warm white', 'blue'] }, on: { type: 'boolean' } },
    ['color', 'on'],
  ]),
  tool('weather', 'Get weather', [{ city: text }, ['city']]),
  tool('write', 'Write a file.', [{ file_path: text, content: text }, ['file_path', 'content']]),
  tool('fetch_page', 'Fetch a page of the web.', [{ url: text }, ['url']]),
];

function ask(request: string, offered = tools): Promise<{ text: string; call?: { name: string; input: unknown } }> {
  return answer([{ role: 'user', content: [{ type: 'text', text: request }] }], offered);
}

async function answer(prompt: LanguageModelV4Prompt, offered = tools) {
  const { stream } = await createDemoModel().doStream({ prompt, tools: offered });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  const said = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  expect(calls.length).toBeLessThanOrEqual(1);
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: calls[0] ? 'tool-calls' : 'stop' } });
  return { text: said, ...(calls[0] && { call: { name: calls[0].toolName, input: JSON.parse(calls[0].input) } }) };
}

describe('the demo model picks a tool and fills its arguments', () => {
  it.each<[string, string, unknown]>([
    ['greet Bob', 'python_greet', { name: 'Bob' }],
    ['Greet Bob.', 'python_greet', { name: 'Bob' }],
    ['Can you please greet Bob by name?', 'python_greet', { name: 'Bob' }],
    ['greet name=Bob', 'python_greet', { name: 'Bob' }],
    ['greet name="Bob Smith" please', 'python_greet', { name: 'Bob Smith' }],
    ['use python_greet for Ada Lovelace', 'python_greet', { name: 'Ada Lovelace' }],
    ['greeting for "Grace Hopper"', 'python_greet', { name: 'Grace Hopper' }],
    ['Greet Zoë and 李雷', 'python_greet', { name: 'Zoë and 李雷' }],
    ['Say hello.', 'hello', {}],
    ['Say hello to Bob!', 'hello', { name: 'Bob' }],
    ['hello', 'hello', {}],
    ['double abc', 'double', { text: 'abc' }],
    ['double 21', 'double', { text: '21' }],
    ['Please double "ha ha"', 'double', { text: 'ha ha' }],
    ['What is the weather in Oslo?', 'weather', { city: 'Oslo' }],
    ["What's the weather like in New York?", 'weather', { city: 'New York' }],
    ['Oslo weather please', 'weather', { city: 'Oslo' }],
    ['weather {"city": "Rio de Janeiro"}', 'weather', { city: 'Rio de Janeiro' }],
    ['Read package.json', 'read', { file_path: 'package.json' }],
    ['read the first lines of ./src/index.ts, limit 20', 'read', { file_path: './src/index.ts', limit: 20 }],
    ['read the file "my notes.txt"', 'read', { file_path: 'my notes.txt' }],
    ['bash ls -la .', 'bash', { command: 'ls -la .' }],
    ['run the command `npm test`', 'bash', { command: 'npm test' }],
    ['bash: git commit -m "two words"', 'bash', { command: 'git commit -m "two words"' }],
    ['find files matching **/*.ts', 'glob', { pattern: '**/*.ts' }],
    ['search the files for TODO', 'grep', { pattern: 'TODO' }],
    ['grep "a b" in src/lib ignore case', 'grep', { pattern: 'a b', path: 'src/lib', ignore_case: true }],
    ['write "hello" to notes.txt', 'write', { file_path: 'notes.txt', content: 'hello' }],
    ['edit a.txt: replace "x" with "y"', 'edit', { file_path: 'a.txt', old_string: 'x', new_string: 'y' }],
    ['demo count to 5', 'demo_count', { to: 5 }],
    ['count to three', 'demo_count', { to: 3 }],
    ['count down from 3', 'demo_countdown', { start: 3 }],
    ['how many days between 2026-01-01 and 2026-02-01?', 'days_between', { first: '2026-01-01', last: '2026-02-01' }],
    ['set the light to warm white, on', 'set_light', { color: 'warm white', on: true }],
    ['fetch https://example.com/a?b=c.', 'fetch_page', { url: 'https://example.com/a?b=c' }],
  ])('%s', async (request, name, input) => {
    const { call, text: said } = await ask(request);
    expect(call).toEqual({ name, input });
    expect(said).toContain(`\`${name}\``);
    expect(said).toMatch(/because its (name|description) matches "/);
  });
});

describe('the demo model draws', () => {
  const drawing = tool('display_html', 'Show an interface: a chart, a table, a form.', [
    { title: text, code: text },
    ['code'],
  ]);
  const codeOf = async (request: string) => {
    const { call, text: said } = await ask(request, [...tools, drawing]);
    expect(said).toContain('from a fixed sketch');
    expect(call?.name).toBe('display_html');
    return String(Object(call?.input).code);
  };

  it('a chart with the numbers of the request, else with made-up ones, which it says', async () => {
    expect(await codeOf('Draw a chart of apples 3, pears 5 and plums: 8.5')).toContain(
      '[{"name":"apples","value":3},{"name":"pears","value":5},{"name":"plums","value":8.5}]',
    );
    const { text: said } = await ask('draw a chart', [drawing]);
    expect(said).toContain('with made-up numbers');
  });

  it.each(['draw a chart', 'show me a form', 'make a 3D scene'])(
    'what compiles as an interface: %s',
    async (request) => {
      const { transform } = await import('sucrase');
      const { code } = transform(await codeOf(request), { transforms: ['typescript', 'jsx', 'imports'] });
      expect(code).toMatch(/exports\. ?default = App/);
    },
  );

  it('in pieces, as a model writes', async () => {
    const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'draw a chart' }] }];
    const { stream } = await createDemoModel().doStream({ prompt, tools: [drawing] });
    const deltas: string[] = [];
    for await (const part of stream) if (part.type === 'tool-input-delta') deltas.push(part.delta);
    expect(deltas.length).toBeGreaterThan(20);
    expect(JSON.parse(deltas.join(''))).toMatchObject({ title: 'Made-up numbers' });
  });

  it('nothing where nothing can be shown, or another tool is meant', async () => {
    const { call, text: said } = await ask('draw a chart of apples 3, pears 5');
    expect(call).toBeUndefined();
    expect(said).toContain('in the page of `toolpost serve`');
    const board = tool('draw_board', 'Draws a board.', [{}]);
    expect((await ask('draw board chart', [drawing, board])).call?.name).toBe('draw_board');
  });
});

describe('the demo model is honest', () => {
  it('says what it is and what it can do when nothing fits', async () => {
    const { call, text: said } = await ask('Why is the sky blue at noon?');
    expect(call).toBeUndefined();
    expect(said).toContain('without a language model');
    expect(said).toContain('- weather: Get weather');
    expect(said).toContain('openai-compatible:NAME@URL');
    // A list ends with a blank line, and no sooner.
    expect(said).toMatch(/:\n\n- [\s\S]*\n- [^\n]*\n\nFor a real model/);
  });

  it('gives a sensible answer without any tool', async () => {
    const { call, text: said } = await ask('Say hello.', []);
    expect(call).toBeUndefined();
    expect(said).toMatch(/^Hello\..*has none/);
  });

  it('does not take a word of a quoted text, a path or a pair for the name of a tool', async () => {
    for (const request of ['"weather"', 'src/weather/double.ts', 'topic=weather']) {
      expect((await ask(request)).call).toBeUndefined();
    }
  });

  it('asks for a required argument that it cannot find and calls nothing', async () => {
    const { call, text: said } = await ask('write notes.txt');
    expect(call).toBeUndefined();
    expect(said).toContain('`content`');
    expect(said).toContain('content="..."');
  });

  it('uses a text once, and asks for the second', async () => {
    const { call, text: said } = await ask('edit a.txt: replace cats with dogs');
    expect(call).toBeUndefined();
    expect(said).toContain('`new_string`');
    expect(said).not.toContain('`old_string`');
  });

  it('does not take the words that chose the tool for an argument', async () => {
    for (const request of ['find files', 'How is the weather?', 'greet']) {
      const { call, text: said } = await ask(request);
      expect(call).toBeUndefined();
      expect(said).toContain('Say it again with');
    }
  });

  it('lists at most twenty of many tools', async () => {
    const many = Array.from({ length: 50 }, (_, index) => tool(`t${index}`, 'Does a thing.', [{}]));
    const { text: said } = await ask('Why?', many);
    expect(said.match(/^- /gm)).toHaveLength(21);
    expect(said).toContain('and 30 more');
  });

  it('answers with the results after one round, whatever they are, and calls nothing again', async () => {
    const after = await answer([
      { role: 'user', content: [{ type: 'text', text: 'greet Bob' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'python_greet', input: {} }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: '1', toolName: 'python_greet', output: { type: 'text', value: 'Hi!' } },
          { type: 'tool-result', toolCallId: '2', toolName: 'read', output: { type: 'error-text', value: 'no file' } },
        ],
      },
    ]);
    expect(after).toEqual({ text: 'Hi!\n`read` did not work: no file' });
  });

  it('gives results of several lines to the letter, in a fence that they cannot end', async () => {
    const said = async (...outputs: { type: 'text' | 'error-text'; value: string }[]) => {
      const content = outputs.map((output) => ({
        ...{ type: 'tool-result' as const, toolCallId: '1', toolName: 'bash', output },
      }));
      return (await answer([{ role: 'tool', content }])).text;
    };
    expect(await said({ type: 'text', value: '1\n2\n3\n' })).toBe('```\n1\n2\n3\n```');
    expect(await said({ type: 'text', value: 'one\n' })).toBe('one');
    expect(await said({ type: 'text', value: '````\nx' })).toBe('`````\n````\nx\n`````');
    expect(await said({ type: 'error-text', value: 'a\nb' }, { type: 'text', value: 'one' })).toBe(
      '`bash` did not work:\n\n```\na\nb\n```\n\none',
    );
  });

  it('gives the same answer without streaming', async () => {
    const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'greet Bob' }] }];
    const { content, finishReason } = await createDemoModel().doGenerate({ prompt, tools });
    expect(content[1]).toMatchObject({ type: 'tool-call', toolName: 'python_greet', input: '{"name":"Bob"}' });
    expect(finishReason.unified).toBe('tool-calls');
  });

  it('survives any request and fills only properties of the schema', async () => {
    const request = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .array(fc.constantFrom('greet', 'write', '"', '`', '{', '}', 'a=b', 'x.txt', '/', '5', 'no', '…'), {
          maxLength: 12,
        })
        .map((words) => words.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(request, async (sentence) => {
        const { call } = await ask(sentence);
        const schema = tools.find(({ name }) => name === call?.name)?.inputSchema;
        const known = Object.keys(schema?.properties ?? {});
        expect(known).toEqual(expect.arrayContaining(Object.keys((call?.input as object) ?? {})));
        for (const required of schema?.required ?? []) expect(call?.input).toHaveProperty(required);
      }),
    );
  });
});
