import {
  chatCall,
  chatChunks,
  type ProviderAnswer,
} from '../../packages/host/src/models/fixtures/scripted-provider.ts';

const TEST = 'node test/slugify.test.js';
const WRONG = "replace(/[^a-z0-9]/g, '-')";
const RIGHT = "replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')";

function says(...texts: string[]): ProviderAnswer {
  return { events: chatChunks(texts.map((content) => ({ content }))) };
}

function calls(text: string, [name, input]: [name: string, input: object]): ProviderAnswer {
  return { events: chatChunks([{ content: text }, ...chatCall(0, name, JSON.stringify(input))], 'tool_calls') };
}

/**
 * What the model of the session says, one answer after the other. Everything else is as with any model: its calls run,
 * and it gets their results.
 */
export const ANSWERS: readonly ProviderAnswer[] = [
  calls('I run the test first.', ['bash', { command: TEST }]),
  calls('Two titles come out wrong. I look where `slugify` is.', ['grep', { pattern: 'slugify\\(', glob: 'src/**' }]),
  calls('', ['read', { file_path: 'src/slugify.js' }]),
  calls('Each character becomes a dash of its own. I could make the test expect that.', [
    'edit',
    { file_path: 'test/slugify.test.js', old_string: "'ways-to-begin'", new_string: "'ways--to---begin'" },
  ]),
  calls('Then the function has to take runs of characters, and drop the dashes at both ends.', [
    'edit',
    { file_path: 'src/slugify.js', old_string: WRONG, new_string: RIGHT },
  ]),
  calls('And the test again.', ['bash', { command: TEST }]),
  says(
    'The test passes. ',
    '`slugify` in src/slugify.js made a dash of each character that is no letter or digit; ',
    'now a run of them is one dash, and none is left at the ends.',
  ),
];

export const PROMPT = 'The test fails. Find out why, and fix it.';

interface Reply {
  /** What stands on the screen when it asks. */
  readonly asks: string;
  /** The keys of the answer, each with what has to be seen before the next. */
  readonly keys: readonly { readonly key: string; readonly shows?: string }[];
}

/** What the user answers. */
export const REPLIES: readonly Reply[] = [
  { asks: 'Allow the built-in bash?', keys: [{ key: 's' }] },
  {
    asks: "+   'Ways  to   begin': 'ways--to---begin',",
    keys: [{ key: 'n', shows: 'Why not?' }, { key: 'the test is right, fix the function\r' }],
  },
  { asks: '+   return title.toLowerCase().replace(/[^a-z0-9]+/g', keys: [{ key: 'y' }] },
];
