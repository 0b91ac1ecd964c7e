import { plainText } from '../../terminal-text.ts';
import { type SlashCommand, said } from './slash-command.ts';

/** Sends on what somebody did in an interface: it is told as what the interface said, never as the person's own words. */
export const sendCommand: SlashCommand = {
  name: 'send',
  argument: '[NUMBER]',
  about: 'send on what an interface asks for: the newest, or that of the number beside it',
  async run(given, { waitingActions }) {
    const waiting = waitingActions();
    const chosen = given === '' ? waiting.at(-1) : waiting.find(({ number }) => `${number}` === given);
    if (chosen) return { kind: 'send', actionId: chosen.actionId };
    const others = waiting.map(({ number }) => `/send ${number}`).join(', ');
    if (given === '') return said('No interface waits for something to be sent on.');
    return said(`Nothing with the number ${plainText(given)} waits to be sent on.${others && ` There is ${others}.`}`);
  },
};
