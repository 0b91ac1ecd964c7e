import { SHORT_ID_CHARS } from '../session-columns.ts';
import { plainText } from '../terminal-text.ts';
import type { ChatClient } from './chat-client.ts';
import { type Line, span } from './draw/line.ts';
import type { Page } from './draw/markdown.ts';
import { wrapLine } from './draw/wrap.ts';

/** What stays when a person leaves: how to go on. A session in which nothing was asked, or of a home without a store, is not kept. */
export function farewellLines(
  { conversation, transcript }: Pick<ChatClient, 'conversation' | 'transcript'>,
  page: Page,
): Line[] {
  const { resumeCommand, id } = conversation;
  if (!transcript.hasTurns || resumeCommand === undefined) return [];
  const command = plainText(`${resumeCommand} ${id.slice(0, SHORT_ID_CHARS)}`);
  return [[], ...wrapLine([span(`To go on: ${command}`, page.theme.faint)], page)];
}
