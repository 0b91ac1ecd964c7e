import type { Interface } from 'node:readline';

export interface PromptInterrupts {
  /** From here on Ctrl-C is meant for the prompt, and for nothing else. */
  atPrompt(): void;
  /** From here on it is somebody else's. */
  elsewhere(): void;
}

/** Ctrl-C at the prompt drops what was typed; at an empty one it says how to leave, and the next one leaves. */
export function watchPromptInterrupts(lines: Interface, say: (text: string) => void): PromptInterrupts {
  let isAtPrompt = false;
  let isWarned = false;
  lines.on('SIGINT', () => {
    if (!isAtPrompt) return;
    if (isWarned && lines.line === '') return lines.close();
    const wasEmpty = lines.line === '';
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    say(wasEmpty ? '\n(press Ctrl-C again, or Ctrl-D, to leave)\n' : '\n');
    isWarned = wasEmpty;
    lines.prompt();
  });
  return {
    atPrompt() {
      isAtPrompt = true;
      isWarned = false;
    },
    elsewhere() {
      isAtPrompt = false;
    },
  };
}
