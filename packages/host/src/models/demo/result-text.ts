import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';

type ToolPart = LanguageModelV4ToolResultPart | { type: 'tool-approval-response' };

/** What the results of a round say, as Markdown: a line as it is, several lines to the letter. */
export function resultsText(parts: readonly ToolPart[]): string {
  const texts = parts.map(resultText).filter((text) => text !== '');
  return texts.join(texts.some((text) => text.includes('\n')) ? '\n\n' : '\n');
}

function resultText(part: ToolPart): string {
  if (part.type !== 'tool-result') return '';
  const { output, toolName } = part;
  switch (output.type) {
    case 'text':
      return output.value === '' ? `\`${toolName}\` gave no output.` : toTheLetter(output.value);
    case 'error-text':
      return `\`${toolName}\` did not work:${output.value.trimEnd().includes('\n') ? '\n\n' : ' '}${toTheLetter(output.value)}`;
    case 'execution-denied':
      return `\`${toolName}\` was not allowed to run. ${output.reason ?? ''}`.trim();
    case 'content':
      return output.value
        .map((item) =>
          item.type === 'text' ? toTheLetter(item.text) : item.type === 'file' ? `(a ${item.mediaType} file)` : '',
        )
        .filter((text) => text !== '')
        .join('\n\n');
    default:
      return JSON.stringify(output.value);
  }
}

/** Lines run together in Markdown, unless they stand in a fence; it is longer than any that they hold. */
function toTheLetter(text: string): string {
  const lines = text.trimEnd();
  if (!lines.includes('\n')) return lines;
  const longest = Math.max(2, ...(lines.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${lines}\n${fence}`;
}
