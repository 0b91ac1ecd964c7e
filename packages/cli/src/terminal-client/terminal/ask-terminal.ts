import type { Keyboard } from './keyboard.ts';

/** What a terminal can do. */
export interface TerminalAbilities {
  /** Tells keys apart that look alike to others, such as Shift-Enter and Enter: the keyboard protocol of kitty. */
  readonly hasKittyKeys: boolean;
  /** Draws emoji that are joined as one, of two columns. */
  readonly joinsEmoji: boolean;
}

/** Which keys it reports; where the cursor is behind two emoji that are joined; what it is, which every terminal answers. */
const QUESTIONS = '\r\u001b[?u👩\u200d👧\u001b[6n\r\u001b[K\u001b[c';
const KEYS = /\u001b\[\?\d+u/;
const PLACE = /\u001b\[\d+;(\d+)R/;
const LAST = /\u001b\[\?[\d;]*c/;
/** A terminal that answers nothing is as old as it can be. */
const WAIT_MS = 1000;

/** Asks the terminal, before anything is drawn. What is typed meanwhile is not lost. */
export function askTerminal(keyboard: Keyboard, screen: NodeJS.WritableStream): Promise<TerminalAbilities> {
  return new Promise((resolve) => {
    let said = '';
    const end = () => {
      clearTimeout(timer);
      keyboard.off('data', onData);
      keyboard.pause();
      const typed = [KEYS, PLACE, LAST].reduce((rest, answer) => rest.replace(answer, ''), said);
      if (typed !== '') keyboard.unshift(typed, 'utf8');
      resolve({ hasKittyKeys: KEYS.test(said), joinsEmoji: PLACE.exec(said)?.[1] === '3' });
    };
    const onData = (piece: string | Buffer) => {
      said += piece.toString();
      if (LAST.test(said)) end();
    };
    const timer = setTimeout(end, WAIT_MS);
    keyboard.setEncoding('utf8');
    keyboard.on('data', onData);
    keyboard.resume();
    screen.write(QUESTIONS);
  });
}
