/** Why a frame is of no more use; `beside`: with another one, and it gets a chance. */
export type FrameEnd = 'silent' | 'beside' | 'left' | 'greedy';

/** What is said of a frame that was ended; `what` is what was in it. */
export function frameEndText(why: Exclude<FrameEnd, 'beside'>, what: string): string {
  switch (why) {
    case 'silent':
      return `This ${what} no longer answered, so it was ended.`;
    case 'left':
      return `This ${what} tried to leave its place, so it was ended.`;
    case 'greedy':
      return `This ${what} took the keyboard by itself again and again, so it was ended.`;
  }
}
