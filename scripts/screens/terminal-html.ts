import type { IBufferCell, Terminal } from '@xterm/headless';

/** The sixteen colours, then the ground and the letters. */
const COLOURS = [
  ...['#1f2328', '#e5756d', '#7fc98f', '#d9ad5b', '#7fb0ea', '#d58cc0', '#58c9b9', '#d5d3ce'],
  ...['#7b828b', '#f2938a', '#93d9a3', '#e9c47a', '#9cc4f3', '#e3a5d2', '#7adccd', '#f4f2ee'],
];
const GROUND = '#15171a';
const INK = '#d9d7d2';

/** What a terminal shows down to its last line, as a page: each run of letters of one look is one element. */
export function terminalToHtml(terminal: Terminal, title: string): string {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => rowToHtml(active.getLine(active.baseY + row)));
  while (rows.at(-1) === '') rows.pop();
  return `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: ${GROUND}; }
main { display: inline-block; }
header { display: flex; gap: 8px; padding: 14px 16px 6px; font: 13px system-ui, "DejaVu Sans", sans-serif; color: #8d939b; }
header i { width: 11px; height: 11px; border-radius: 50%; background: #3a4048; }
header span { flex: 1; text-align: center; margin-right: 49px; }
pre { margin: 0; padding: 8px 20px 16px; color: ${INK}; font: 14px/1.36 "DejaVu Sans Mono", monospace; }
</style><main><header><i></i><i></i><i></i><span>${escaped(title)}</span></header><pre>${rows.join('\n')}</pre></main>`;
}

function rowToHtml(line: ReturnType<Terminal['buffer']['active']['getLine']>): string {
  let [html, run, look] = ['', '', ''];
  const end = () => {
    if (run !== '') html += look === '' ? escaped(run) : `<span style="${look}">${escaped(run)}</span>`;
    run = '';
  };
  for (let column = 0; column < (line?.length ?? 0); column += 1) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const next = lookOf(cell);
    if (next !== look) end();
    look = next;
    run += cell.getChars() || ' ';
  }
  end();
  return html.trimEnd();
}

function lookOf(cell: IBufferCell): string {
  const ink = cell.isFgDefault() ? INK : colourOf(cell.isFgRGB(), cell.getFgColor());
  const ground = cell.isBgDefault() ? GROUND : colourOf(cell.isBgRGB(), cell.getBgColor());
  const [front, back] = cell.isInverse() ? [ground, ink] : [ink, ground];
  const styles = [
    front === INK ? '' : `color:${front}`,
    back === GROUND ? '' : `background:${back}`,
    cell.isBold() ? 'font-weight:bold' : '',
    cell.isItalic() ? 'font-style:italic' : '',
    cell.isUnderline() ? 'text-decoration:underline' : '',
    cell.isDim() ? 'opacity:0.62' : '',
  ];
  return styles.filter((style) => style !== '').join(';');
}

function colourOf(isRgb: boolean, colour: number): string {
  if (isRgb) return `#${colour.toString(16).padStart(6, '0')}`;
  const named = COLOURS[colour];
  if (named !== undefined) return named;
  if (colour >= 232) return grey(8 + (colour - 232) * 10);
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const at = colour - 16;
  return `rgb(${level(Math.floor(at / 36))},${level(Math.floor(at / 6) % 6)},${level(at % 6)})`;
}

const grey = (value: number) => `rgb(${value},${value},${value})`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
