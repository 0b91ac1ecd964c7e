import { DrawnChart, Legend } from '../../renderers/blocks/chart-block.tsx';
import { type GivenChart, readChart } from './chart-data.ts';
import { EChart } from './echart.tsx';

interface ChartProps extends GivenChart {
  /** An ECharts option, for what the types here cannot draw; the tool's `libs` need `echarts` then. */
  readonly option?: Readonly<Record<string, unknown>>;
  /** Of a chart with an option. */
  readonly height?: number;
}

/** Numbers as bars, lines or shares, or whatever an ECharts option says. */
export function Chart({ option, height = 280, ...given }: ChartProps) {
  if (option !== undefined) return <EChart option={option} height={height} label={given.title ?? 'Chart'} />;
  const chart = readChart(given);
  return (
    <figure className="chart">
      {given.title !== undefined && <figcaption className="ui-chart-title">{given.title}</figcaption>}
      <DrawnChart chart={chart} />
      <Legend chart={chart} />
    </figure>
  );
}
