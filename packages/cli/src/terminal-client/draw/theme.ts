import type { Paint } from './line.ts';

/** Every colour of the client. They are of middle lightness, so that they can be read on dark and on light. */
export interface Theme {
  /** The one accent: names of tools, the prompt, headings. */
  readonly accent: Paint;
  readonly strong: Paint;
  readonly emphasis: Paint;
  readonly faint: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly warn: Paint;
  readonly underline: Paint;
  readonly code: Paint;
  readonly syntax: Readonly<Record<SyntaxKind, Paint>>;
}

export type SyntaxKind = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type';

/** A colour for terminals with 16 million, 256 and 16 of them. */
interface Colour {
  readonly rgb: readonly [number, number, number];
  readonly index: number;
  readonly basic: number;
}

const COLOURS = {
  accent: { rgb: [86, 142, 184], index: 67, basic: 36 },
  faint: { rgb: [128, 128, 128], index: 244, basic: 37 },
  good: { rgb: [84, 150, 84], index: 65, basic: 32 },
  bad: { rgb: [198, 84, 84], index: 167, basic: 31 },
  warn: { rgb: [178, 128, 40], index: 136, basic: 33 },
  purple: { rgb: [150, 110, 180], index: 97, basic: 35 },
  teal: { rgb: [60, 148, 140], index: 66, basic: 36 },
} as const satisfies Record<string, Colour>;

/** The theme for a terminal with so many bits of colour: 1 for none, 4, 8 or 24. */
export function createTheme(colourDepth: number): Theme {
  const paint = (colour: Colour): Paint => sgr(colourDepth <= 1 ? undefined : codeOf(colour, colourDepth), 39);
  const weight = (on: number, off: number): Paint => sgr(colourDepth <= 1 ? undefined : `${on}`, off);
  // Bright black, the grey of 16 colours, cannot be seen on some backgrounds.
  const faint = colourDepth < 8 ? weight(2, 22) : paint(COLOURS.faint);
  const [accent, good] = [paint(COLOURS.accent), paint(COLOURS.good)];
  return {
    ...{ accent, faint, good },
    bad: paint(COLOURS.bad),
    warn: paint(COLOURS.warn),
    strong: weight(1, 22),
    emphasis: weight(3, 23),
    underline: weight(4, 24),
    code: paint(COLOURS.teal),
    syntax: {
      keyword: paint(COLOURS.purple),
      string: good,
      number: paint(COLOURS.warn),
      comment: faint,
      title: accent,
      type: paint(COLOURS.teal),
    },
  };
}

/** One paint over another. */
export function both(outer: Paint, inner: Paint): Paint {
  return (text) => outer(inner(text));
}

function codeOf({ rgb, index, basic }: Colour, depth: number): string {
  if (depth >= 24) return `38;2;${rgb.join(';')}`;
  return depth >= 8 ? `38;5;${index}` : `${basic}`;
}

function sgr(on: string | undefined, off: number): Paint {
  if (on === undefined) return (text) => text;
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}
