import { BLOCKS_MODE } from './blocks.ts';
import type { ShownUi } from './events.ts';
import type { ToolUi } from './tool-definition.ts';

/** What the code of an interface may be written in. */
export const UI_CODE_MODES = ['genui', 'html', 'markdown', 'chart'] as const;
export type UiCodeMode = (typeof UI_CODE_MODES)[number];

/** How an interface is written. `blocks` are those of the result; `app` is a page by MCP Apps, which draws its call by itself. */
export const UI_MODES = [...UI_CODE_MODES, BLOCKS_MODE, 'app'] as const;
/** What an interface may ask for, loaded when it does. */
export const UI_LIBS = ['echarts', 'three', 'motion'] as const;
/** Characters of the code of one interface. */
export const MAX_UI_CODE_CHARS = 1_000_000;

/**
 * What code that a result or an answer carries is written in: what its tool says, `mode`. Without a word about it markup is a page, and
 * other code a module. Undefined for a call that a page by MCP Apps draws, which needs no code.
 */
export function uiCodeMode(mode: string | undefined, code: string): UiCodeMode | undefined {
  const known = UI_CODE_MODES.find((one) => one === mode);
  if (known !== undefined || mode === 'app') return known;
  return /^\s*</.test(code) ? 'html' : 'genui';
}

/** A tool's `ui` with its defaults, as events keep it: an unknown `surface` is inline. */
export function toShownUi({ mode, param, libs = [], surface, resourceUri }: ToolUi): ShownUi {
  return {
    mode,
    ...(param !== undefined && { param }),
    libs: [...libs],
    surface: surface === 'panel' ? 'panel' : 'inline',
    ...(resourceUri !== undefined && { resourceUri }),
  };
}
