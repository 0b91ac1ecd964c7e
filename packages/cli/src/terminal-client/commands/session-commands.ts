import type { Conversation } from '../../conversation.ts';
import { localTime, sessionColumns } from '../../session-columns.ts';
import { plainText } from '../../terminal-text.ts';
import { type SlashCommand, said } from './slash-command.ts';

const SHOWN_SESSIONS = 10;
const SUGGESTED_SESSIONS = 50;

/** What is done with the session, and with others. */
export const SESSION_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'sessions',
    about: 'the latest sessions',
    async run(_, { conversation, width }) {
      const sessions = await conversation.latest(SHOWN_SESSIONS);
      const { resumeCommand } = conversation;
      const later = resumeCommand === undefined ? '. None is kept when you leave' : `, or ${resumeCommand} ID`;
      return said(`${sessionColumns(sessions, width)}Go on with one: /resume ID${later}`);
    },
  },
  {
    name: 'new',
    about: 'go on in a new session',
    async run(_, { conversation }) {
      await conversation.startNew();
      return { kind: 'switched', text: 'A new session: the model knows nothing of the one before, which is kept.' };
    },
  },
  {
    name: 'resume',
    argument: 'ID',
    about: 'go on with another session; the beginning of its id is enough',
    async run(id, { conversation }) {
      await conversation.switchTo(id);
      return { kind: 'switched', text: `Going on with the session ${plainText(conversation.id)}.` };
    },
    suggest: suggestSessions,
  },
  {
    name: 'fork',
    about: 'go on in a copy of this session, which stays as it is',
    async run(_, { conversation }) {
      const before = conversation.id;
      await conversation.fork();
      return { kind: 'switched', text: `A copy of the session ${plainText(before)}, which stays as it is.` };
    },
  },
  {
    name: 'rename',
    argument: 'TITLE',
    about: 'give this session another title',
    async run(title, { conversation }) {
      await conversation.rename(title);
      return said(`The session is called ${plainText(title)} now.`);
    },
  },
  {
    name: 'clear',
    about: 'forget the conversation, so that the model starts anew',
    async run(_, { conversation }) {
      await conversation.clear();
      return said('The model no longer knows what was said.');
    },
  },
  {
    name: 'compact',
    about: 'put a summary in place of the conversation, so that the model has room again',
    async run(_, { conversation, abortSignal }) {
      const whyNot = await conversation.compact(abortSignal);
      return said(
        whyNot === undefined
          ? 'The model goes on from a summary.'
          : `The conversation stays as it is: ${plainText(whyNot)}`,
      );
    },
  },
];

async function suggestSessions(conversation: Conversation) {
  const sessions = await conversation.latest(SUGGESTED_SESSIONS);
  return sessions
    .filter(({ id }) => id !== conversation.id)
    .map(({ id, title, updatedAt }) => ({ text: id, about: `${localTime(updatedAt)}  ${title}` }));
}
