import { createContext } from 'react';

/** How wide the rows are that stand on the screen: what a narrower terminal makes of them depends on it. */
export interface FrameWidths {
  /** The rows of one part of the frame, by whatever tells it from others. */
  set(part: object, widths: readonly number[]): void;
  remove(part: object): void;
  /** How many rows more the frame takes after the terminal has broken its rows to so many columns. */
  extraRows(columns: number): number;
}

export function createFrameWidths(): FrameWidths {
  const parts = new Map<object, readonly number[]>();
  return {
    set: (part, widths) => void parts.set(part, widths),
    remove: (part) => void parts.delete(part),
    extraRows: (columns) =>
      [...parts.values()].flat().reduce((sum, width) => sum + Math.max(0, Math.ceil(width / columns) - 1), 0),
  };
}

export const FrameWidthsContext = createContext<FrameWidths | undefined>(undefined);
