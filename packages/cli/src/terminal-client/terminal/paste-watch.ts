const START = '\u001b[200~';
const END = '\u001b[201~';
/** So long nothing has come of a paste that is open: its end got lost, and whoever types is not to be swallowed for ever. */
const SILENT_MS = 2000;
/** Whoever reads a paste keeps it until its end: a longer one comes in parts. */
const MAX_CHARS = 4_000_000;

export interface PasteWatch {
  take(text: string): void;
  close(): void;
}

/** Gives on what the terminal sends; a paste whose end does not come is ended here. */
export function createPasteWatch(give: (text: string) => void): PasteWatch {
  /** The end of what came, where half a mark may stand. */
  let tail = '';
  /** Undefined where no paste is open. */
  let openChars: number | undefined;
  let silence: NodeJS.Timeout | undefined;
  let pieces = 0;

  function endIfSilent(): void {
    const before = pieces;
    // While this process was busy more may have come, which is read first.
    setImmediate(() => {
      if (pieces !== before || openChars === undefined) return;
      openChars = undefined;
      give(END);
    });
  }

  function count(text: string): void {
    const seen = tail + text;
    tail = seen.slice(1 - END.length);
    const [started, ended] = [seen.lastIndexOf(START), seen.lastIndexOf(END)];
    if (started > ended) openChars = seen.length - started;
    else if (ended !== -1) openChars = undefined;
    else if (openChars !== undefined) openChars += text.length;
  }

  return {
    take(text) {
      pieces += 1;
      clearTimeout(silence);
      count(text);
      give(text);
      if (openChars === undefined) return;
      if (openChars > MAX_CHARS) {
        openChars = 0;
        give(END + START);
      }
      silence = setTimeout(endIfSilent, SILENT_MS);
    },
    close: () => clearTimeout(silence),
  };
}
