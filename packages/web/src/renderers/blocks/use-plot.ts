import { type RefCallback, useCallback, useState } from 'react';

/** Where a chart draws, in CSS pixels: between its axes. */
export interface Plot {
  readonly ref: RefCallback<SVGSVGElement>;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Of the whole picture. */
  readonly fullWidth: number;
  readonly fullHeight: number;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [52, 8, 8, 26] as const;
const HEIGHT = 180;
const FIRST_WIDTH = 640;
const MIN_WIDTH = 160;

/** The picture is as wide as its place, so that its letters are as large as those beside it. */
export function usePlot(): Plot {
  const [fullWidth, setWidth] = useState(FIRST_WIDTH);
  const ref = useCallback((svg: SVGSVGElement | null) => {
    if (!svg) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(MIN_WIDTH, Math.round(svg.clientWidth))));
    observer.observe(svg);
    return () => observer.disconnect();
  }, []);
  const size = { left: LEFT, top: TOP, width: fullWidth - LEFT - RIGHT, height: HEIGHT };
  return { ref, ...size, fullWidth, fullHeight: TOP + HEIGHT + BOTTOM };
}

/** How far down a share of the axis is. */
export function yOf({ top, height }: Plot, share: number): number {
  return top + height * (1 - share);
}
