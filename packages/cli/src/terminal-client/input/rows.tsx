import { Text } from 'ink';
import { type ReactNode, use, useLayoutEffect, useRef } from 'react';
import { type Line, lineWidth, renderLine } from '../draw/line.ts';
import { FrameWidthsContext } from '../frame-widths.ts';

/** Lines that fit into the width already, one below the other. */
export function Rows({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  const part = useRef({}).current;
  const frame = use(FrameWidthsContext);
  useLayoutEffect(() => {
    frame?.set(part, lines.map(lineWidth));
  }, [frame, part, lines]);
  useLayoutEffect(() => () => frame?.remove(part), [frame, part]);
  return lines.length === 0 ? undefined : <Text wrap="truncate">{lines.map(renderLine).join('\n')}</Text>;
}
