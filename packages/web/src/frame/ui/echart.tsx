import { use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { CodeError } from '../code-error.ts';
import { type EChartsInstance, findECharts } from '../echarts-source.ts';
import { IsWhole } from '../is-whole.ts';
import { getScheme, onScheme } from '../scheme.ts';
import { type DrawnBefore, isSame, nextOption, type Option } from './chart-option.ts';

interface EChartProps {
  readonly option: Option;
  readonly height: number | '100%';
  readonly label: string;
}

/** What an ECharts option says, in the colours of the page. */
export function EChart({ option, height, label }: EChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<DrawnBefore>(undefined);
  const [chart, setChart] = useState<DrawnChart>();
  const isWhole = use(IsWhole);
  const scheme = useSyncExternalStore(onScheme, getScheme);
  const echarts = findECharts();
  if (!echarts)
    throw new CodeError('render', 'a chart with an option needs "echarts" in the libs of the tool\'s ui block');
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const instance = echarts.init(element, themeOf(element, scheme), { renderer: 'canvas' });
    const drawn = createDrawnChart(instance, before.current);
    setChart(drawn);
    const observer = new ResizeObserver(() => instance.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      before.current = drawn.end();
    };
  }, [echarts, scheme]);
  useEffect(() => chart?.draw(option, isWhole), [chart, option, isWhole]);
  return <div ref={box} className="ui-echart" role="img" aria-label={label} style={{ height }} />;
}

interface DrawnChart {
  draw(option: Option, isWhole: boolean): void;
  /** Gives what it drew, and what its reader has chosen in it. */
  end(): DrawnBefore | undefined;
}

/** `former`: the same chart in the colours of another scheme. */
function createDrawnChart(instance: EChartsInstance, former: DrawnBefore | undefined): DrawnChart {
  let last = former;
  let wasWhole: boolean | undefined;
  let isEnded = false;
  const stateNow = () => (wasWhole === undefined ? last?.state : instance.getOption());
  return {
    draw(option, isWhole) {
      // Code that builds its option anew each time has not changed it.
      if (isEnded || (last && wasWhole === isWhole && isSame(option, last.option))) return;
      const before = last && { option: last.option, state: stateNow() };
      instance.setOption({ ...nextOption(option, before), ...(!isWhole && { animation: false }) }, true);
      last = { option, state: undefined };
      wasWhole = isWhole;
    },
    end() {
      isEnded = true;
      const drawn = last && { option: last.option, state: stateNow() };
      instance.dispose();
      return drawn;
    },
  };
}

function themeOf(element: HTMLElement, scheme: string): object {
  const colour = createColourReader(element);
  const axis = {
    axisLine: { lineStyle: { color: colour('--line') } },
    axisLabel: { color: colour('--ink-dim') },
    splitLine: { lineStyle: { color: colour('--line') } },
  };
  return {
    darkMode: scheme === 'dark',
    color: [0, 1, 2, 3, 4, 5].map((at) => colour('--series', `series-${at}`)),
    textStyle: { color: colour('--ink'), fontFamily: getComputedStyle(element).fontFamily },
    title: { textStyle: { color: colour('--ink'), fontSize: 15 }, subtextStyle: { color: colour('--ink-dim') } },
    legend: { textStyle: { color: colour('--ink-dim') } },
    ...{ categoryAxis: axis, valueAxis: axis, timeAxis: axis, logAxis: axis },
  };
}

/** A variable may name two colours, one for each scheme; which one it is only an element that uses it tells. */
function createColourReader(element: HTMLElement): (name: string, className?: string) => string {
  return (name, className = '') => {
    const probe = document.createElement('span');
    probe.className = className;
    probe.style.color = `var(${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
