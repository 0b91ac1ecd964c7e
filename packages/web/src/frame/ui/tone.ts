export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

const TONES: readonly string[] = ['neutral', 'good', 'warn', 'bad', 'accent'];
/** Words that models use for the same. */
const OTHER_WORDS: Readonly<Record<string, Tone>> = {
  ...{ success: 'good', ok: 'good', positive: 'good', warning: 'warn', info: 'accent', primary: 'accent' },
  ...{ error: 'bad', danger: 'bad', negative: 'bad', default: 'neutral' },
};

/** The signs stand beside each tone, so that no state is told by colour alone. */
export const SIGNS: Readonly<Record<Tone, string>> = { neutral: '', good: '✓', warn: '!', bad: '✗', accent: '' };

export function toTone(value: unknown): Tone {
  if (typeof value !== 'string') return 'neutral';
  return TONES.includes(value) ? (value as Tone) : (OTHER_WORDS[value] ?? 'neutral');
}
