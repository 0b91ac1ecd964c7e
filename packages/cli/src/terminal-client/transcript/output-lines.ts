export interface OutputLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** As many as a person may want to see of what has gone by; the whole is in the result or in its file. */
const MAX_LINES = 200;
/** What has no line end so far is cut here: a progress bar or a minified file may never have one. */
const MAX_PENDING = 4096;

/** The last lines of what a call prints, whatever pieces it comes in; its two streams are kept apart. */
export interface OutputLines {
  add(stream: OutputLine['stream'], text: string): void;
  /** The lines so far, with those that have no end yet. */
  lines(): readonly OutputLine[];
  /** How many were let go of before them. */
  readonly dropped: number;
}

export function createOutputLines(): OutputLines {
  let kept: OutputLine[] = [];
  let dropped = 0;
  const open = new Map<OutputLine['stream'], string>();
  return {
    add(stream, text) {
      const lines = ((open.get(stream) ?? '') + text).split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) kept.push({ stream, text: shownState(lastState(line)) });
      open.set(stream, lastState(last).slice(-MAX_PENDING));
      if (kept.length <= 2 * MAX_LINES) return;
      dropped += kept.length - MAX_LINES;
      kept = kept.slice(-MAX_LINES);
    },
    lines: () => [
      ...kept,
      ...[...open].flatMap(([stream, text]) => (shownState(text) === '' ? [] : [{ stream, text: shownState(text) }])),
    ],
    get dropped() {
      return dropped;
    },
  };
}

/** A lone CR begins the line anew, as in a progress bar: the last state of it counts. A CR at the end may be half a CRLF. */
function lastState(line: string): string {
  return line.slice(line.lastIndexOf('\r', line.length - 2) + 1);
}

function shownState(text: string): string {
  return text.replace(/\r$/, '');
}
