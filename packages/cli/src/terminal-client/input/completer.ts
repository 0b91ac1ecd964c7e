/** Something that may stand in the place of what was typed. */
export interface Suggestion {
  /** What is put in. */
  readonly text: string;
  readonly about?: string;
  /** What is typed next: `word`, a further word, before which a blank is put; `rest`, the rest of this one. */
  readonly follows?: 'word' | 'rest';
}

export interface Suggestions {
  /** The end of the text before the cursor, in whose place a suggestion is put. */
  readonly typed: string;
  readonly items: readonly Suggestion[];
  /** Why there are none, where a person would expect some. */
  readonly note?: string;
  /** Whether Enter takes one, and sends it where nothing goes on behind it: so do commands. Else only Tab and Enter take it. */
  readonly isCommand: boolean;
}

/** What could be meant by the text before the cursor; undefined for nothing. */
export type Completer = (before: string) => Promise<Suggestions | undefined>;
