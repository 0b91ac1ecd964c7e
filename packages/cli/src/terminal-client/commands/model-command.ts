import type { ProviderListing } from '@toolpost/host';
import { columns } from '../../columns.ts';
import type { Conversation } from '../../conversation.ts';
import { plainText } from '../../terminal-text.ts';
import type { Suggestion } from '../input/completer.ts';
import { type SlashCommand, said } from './slash-command.ts';

/** Shows the model, or takes another one for this session. */
export const modelCommand: SlashCommand = {
  name: 'model',
  argument: '[NAME]',
  about: 'the model, and those there are; with a name: take that one',
  async run(name, { conversation, width }) {
    if (name === '') return said(await modelText(conversation, width));
    await conversation.setModel(name);
    return said(`The model is ${plainText(conversation.model)} from the next prompt on, in this session.`);
  },
  async suggest(conversation) {
    return (await conversation.providers()).map(suggestionOf);
  },
};

async function modelText(conversation: Conversation, width: number): Promise<string> {
  const providers = await conversation.providers();
  const rows = providers.map(({ specification, isReady }) => [`  ${specification}`, stateOf(isReady)]);
  const model = conversation.model === '' ? "the server's own" : plainText(conversation.model);
  return `The model is ${model}. Another one: /model NAME, where NAME is one of\n${columns(rows, width)}`;
}

/** `openai:NAME` is completed up to its name. */
function suggestionOf({ specification, isReady }: ProviderListing): Suggestion {
  const [, fixed = ''] = /^([^:]*:?)/.exec(specification) ?? [];
  const about = `${specification}  ${stateOf(isReady)}`;
  return fixed === specification ? { text: fixed, about } : { text: fixed, about, follows: 'rest' };
}

function stateOf(isReady: boolean): string {
  return isReady ? 'can be used' : 'its key is not set';
}
