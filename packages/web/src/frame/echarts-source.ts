export interface EChartsInstance {
  /** `isWhole`: nothing of the option before stays. */
  setOption(option: object, isWhole: boolean): void;
  getOption(): Readonly<Record<string, unknown>> | undefined;
  resize(): void;
  dispose(): void;
}

export interface ECharts {
  init(element: HTMLElement, theme: object, options: { renderer: 'svg' | 'canvas' }): EChartsInstance;
}

type Source = () => ECharts | undefined;
let source: Source = () => undefined;

/** Where the library is found once the page has sent it. */
export function setEChartsSource(given: Source): void {
  source = given;
}

export function findECharts(): ECharts | undefined {
  return source();
}
