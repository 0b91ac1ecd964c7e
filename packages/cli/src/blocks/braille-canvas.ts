/** Dots of a braille character, by row and column, as bits of its code. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** A picture of dots, two a column and four a row; each cell remembers who drew in it last. */
export interface BrailleCanvas {
  /** Sets the dot; one outside is none. `y` grows upwards. */
  set(x: number, y: number, owner: number): void;
  /** The cells of a row, from the top: a character and who drew it, undefined for nobody. */
  row(at: number): { readonly text: string; readonly owner: number | undefined }[];
}

export function createBrailleCanvas(columns: number, rows: number): BrailleCanvas {
  const bits = new Uint8Array(columns * rows);
  const owners = new Int16Array(columns * rows).fill(-1);
  return {
    set(x, y, owner) {
      const [column, row] = [x >> 1, rows - 1 - (y >> 2)];
      if (column < 0 || column >= columns || row < 0 || row >= rows) return;
      const at = row * columns + column;
      bits[at] = (bits[at] ?? 0) | (DOTS[3 - (y & 3)]?.[x & 1] ?? 0);
      owners[at] = owner;
    },
    row: (at) =>
      Array.from({ length: columns }, (_, column) => {
        const owner = owners[at * columns + column] ?? -1;
        const text = owner < 0 ? ' ' : String.fromCodePoint(0x2800 + (bits[at * columns + column] ?? 0));
        return { text, owner: owner < 0 ? undefined : owner };
      }),
  };
}
