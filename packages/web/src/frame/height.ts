/** Tells the height of what is drawn, when it has changed. */
export function watchHeight(place: HTMLElement, tell: (height: number) => void): void {
  let told = -1;
  const measure = () => {
    const height = Math.ceil(place.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    tell(height);
  };
  new ResizeObserver(measure).observe(place);
}
