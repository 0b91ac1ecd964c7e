import { CodeError } from '../code-error.ts';
import { closeUnfinished } from '../genui/close-unfinished.ts';
import { withoutFence } from '../genui/compile.ts';
import { EChart } from '../ui/echart.tsx';
import type { Draw } from './picture.ts';

type Option = Readonly<Record<string, unknown>>;

const DEFAULT_HEIGHT = 360;

/** An ECharts option as JSON: nothing in it runs. */
export const drawChart: Draw = ({ code, isFinal }) => {
  const option = isFinal ? parse(withoutFence(code)) : parseUnfinished(withoutFence(code));
  if (!option) return undefined;
  const title = option.title as { readonly text?: unknown } | undefined;
  const label = typeof title?.text === 'string' ? title.text : 'Chart';
  return <EChart option={option} height={DEFAULT_HEIGHT} label={label} />;
};

function parse(text: string): Option {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const line = /\(line (\d+)/.exec(String(error))?.[1];
    throw new CodeError(
      'compile',
      `the chart is no JSON: ${String(error)}`,
      line === undefined ? undefined : Number(line),
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Option;
  throw new CodeError('compile', 'the chart is no ECharts option: it has to be a JSON object');
}

function parseUnfinished(text: string): Option | undefined {
  for (const candidate of closeUnfinished(text)) {
    try {
      const option = parse(candidate);
      // Before it says what it draws there is nothing to see.
      if (option.series !== undefined) return option;
    } catch {
      // The next one is shorter.
    }
  }
  return undefined;
}
