import { Text } from 'ink';
import type { ReactNode } from 'react';
import { type Line, renderLine } from '../draw/line.ts';

/** Lines that fit into the width already, one below the other. */
export function Rows({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  return lines.length === 0 ? undefined : <Text wrap="truncate">{lines.map(renderLine).join('\n')}</Text>;
}
