import type { ToolpostEvent } from '@toolpost/protocol';
import type { SessionUsage, StoredSession } from './session-store.ts';
import { toSpoken, toSpokenLine } from './spoken-markdown.ts';

const MAX_RESULT_CHARS = 20_000;

/** A conversation as a Markdown document, piece by piece: what was said, and each call with its arguments and result. */
export function* toMarkdown(
  { session, title, model, createdAt }: StoredSession,
  usage: SessionUsage,
  log: Iterable<ToolpostEvent>,
): Generator<string> {
  yield `# ${quoted(title) || 'An empty session'}\n\n`;
  yield `- session: ${code(session.id)}\n- begun: ${new Date(createdAt).toISOString()}\n`;
  if (model !== undefined) yield `- model: ${code(model)}\n`;
  if (session.roots.length > 0) yield `- in: ${session.roots.map(code).join(', ')}\n`;
  yield `- tokens: ${usage.inputTokens} in, ${usage.outputTokens} out\n`;
  let said = '';
  for (const event of log) {
    if (event.type === 'text-delta') {
      said += event.text;
      continue;
    }
    const piece = describe(event);
    if (piece === undefined) continue;
    if (said !== '') yield `\n${toSpoken(said)}\n`;
    said = '';
    yield `\n${piece}\n`;
  }
  if (said !== '') yield `\n${toSpoken(said)}\n`;
}

function describe(event: ToolpostEvent): string | undefined {
  switch (event.type) {
    case 'turn-start':
      return `## ${event.uiAction ? 'An interface' : 'You'}\n\n${toSpoken(event.text)}\n\n## Toolpost`;
    case 'tool-call-start': {
      const { name, plugin, displayArg, arguments: input } = event;
      const of = plugin === '' || plugin === 'builtin' ? '' : ` of ${code(plugin)}`;
      return `**${code(name)}**${of}${displayArg === undefined ? '' : ` ${code(displayArg)}`}\n\n${fenced(input, 'json')}`;
    }
    case 'tool-call-end': {
      const { name, outcome, result } = event;
      const diff = result.metadata?.diff;
      const shown = typeof diff === 'string' ? fenced(diff, 'diff') : fenced(cut(result.text), '');
      return `${code(name)} ${outcome} in ${Math.round(result.durationMs)} ms:\n\n${shown}`;
    }
    case 'ui-action':
      return event.isNote
        ? undefined
        : `> In an interface of ${code(event.plugin)}: ${code(event.action)} ${code(JSON.stringify(event.data))}`;
    case 'warning':
      return `> ${quoted(event.message)}`;
    case 'turn-error':
      return `> The turn failed: ${quoted(event.message)}`;
    case 'turn-end':
      return event.reason === 'completed' ? undefined : `> The turn ended early: ${event.reason}`;
    default:
      return undefined;
  }
}

function cut(text: string): string {
  return text.length <= MAX_RESULT_CHARS
    ? text
    : `${text.slice(0, MAX_RESULT_CHARS).toWellFormed()}\n… ${text.length} characters`;
}

/** On one line of the document. */
function quoted(text: string): string {
  return toSpokenLine(inLine(text));
}

function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A fence that is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${ticks}${pad}${inLine(text)}${pad}${ticks}`;
}
