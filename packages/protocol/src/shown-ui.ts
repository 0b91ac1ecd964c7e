import { BLOCKS_MODE } from './blocks.ts';
import type { ShownUi } from './events.ts';
import type { ToolUi } from './tool-definition.ts';

/** How an interface is written. `blocks` are those of the result; `app` is a page by MCP Apps, which draws its call by itself. */
export const UI_MODES = ['genui', 'html', 'markdown', 'chart', BLOCKS_MODE, 'app'] as const;
/** What an interface may ask for, loaded when it does. */
export const UI_LIBS = ['echarts', 'three', 'motion'] as const;
/** Characters of the code of one interface. */
export const MAX_UI_CODE_CHARS = 1_000_000;

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
