import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { Sentence } from './sentence.ts';
import { chartSketch, type Figures, formSketch, sceneSketch } from './sketches.ts';
import { wordsOf } from './words.ts';

/** The tool of the bundled plugin `genui`. */
export const DRAWING_TOOL = 'display_html';
const VERBS = /\b(?:draw|plot|sketch|show|make|build)\b/i;
const FIGURE = /(\p{L}[\p{L}\p{N}]*)\s*[:=]?\s+(\d+(?:\.\d+)?)/gu;
const MADE_UP: Figures = [12, 19, 7, 23, 16, 28].map((value, at) => ({
  name: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'][at] ?? '',
  value,
}));

export interface Drawing {
  /** What the model says before it draws. */
  readonly text: string;
  readonly input: { readonly title: string; readonly code: string };
}

/** What the demo draws where something is to be drawn and can be shown: one of three sketches, with the request's numbers. */
export function drawInterface(
  sentence: Sentence,
  offered: readonly LanguageModelV4FunctionTool[],
): Drawing | undefined {
  return offered.some(({ name }) => name === DRAWING_TOOL) ? sketchOf(sentence) : undefined;
}

/** Whether something is to be drawn that the demo has a sketch of. */
export function isToBeDrawn(sentence: Sentence): boolean {
  return sketchOf(sentence) !== undefined;
}

function sketchOf({ plain, text }: Sentence): Drawing | undefined {
  if (!VERBS.test(plain)) return undefined;
  const has = (...words: string[]) => wordsOf(plain).some((word) => words.includes(word.text.toLowerCase()));
  if (has('form')) return said('a form', 'A table for dinner', formSketch);
  if (has('scene', 'cube', 'knot', '3d')) return said('a scene', 'A knot in space', sceneSketch);
  if (!has('chart', 'charts', 'graph', 'diagram', 'plot', 'bars')) return undefined;
  const figures = [...text.matchAll(FIGURE)].map(([, name = '', value]) => ({ name, value: Number(value) }));
  const source = figures.length > 1 ? 'with the numbers of your sentence' : 'with made-up numbers';
  const shown = figures.length > 1 ? figures : MADE_UP;
  return said(`a chart ${source}`, figures.length > 1 ? 'Your numbers' : 'Made-up numbers', (title) =>
    chartSketch(title, shown),
  );
}

function said(what: string, title: string, sketch: (title: string) => string): Drawing {
  const text = `I am the demo model, so I draw from a fixed sketch: ${what}. I chose \`${DRAWING_TOOL}\` for it.\n`;
  return { text, input: { title, code: sketch(title) } };
}
