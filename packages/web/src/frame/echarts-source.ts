interface EChartsInstance {
  setOption(option: object, isWhole: boolean): void;
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
