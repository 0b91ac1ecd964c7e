import { useEffect, useRef, useSyncExternalStore } from 'react';
import { CodeError } from '../code-error.ts';
import { findECharts } from '../echarts-source.ts';
import { getScheme, onScheme } from '../scheme.ts';

interface EChartProps {
  readonly option: Readonly<Record<string, unknown>>;
  readonly height: number | '100%';
  readonly label: string;
}

/** What an ECharts option says, in the colours of the page. */
export function EChart({ option, height, label }: EChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useSyncExternalStore(onScheme, getScheme);
  const echarts = findECharts();
  if (!echarts)
    throw new CodeError('render', 'a chart with an option needs "echarts" in the libs of the tool\'s ui block');
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const chart = echarts.init(element, themeOf(element, scheme), { renderer: 'canvas' });
    chart.setOption({ backgroundColor: 'transparent', ...option }, true);
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [echarts, option, scheme]);
  return <div ref={box} className="ui-echart" role="img" aria-label={label} style={{ height }} />;
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
