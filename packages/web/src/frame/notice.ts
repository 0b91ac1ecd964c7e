const SHOWN_MS = 6_000;

/** Says what became of an action, in a line over the interface. */
export function createNotice(place: HTMLElement): (text: string, isError: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (text, isError) => {
    clearTimeout(timer);
    place.textContent = `${isError ? '✗ ' : ''}${text}`;
    place.className = isError ? 'ui-notice is-bad' : 'ui-notice';
    timer = setTimeout(() => {
      place.textContent = '';
      place.className = '';
    }, SHOWN_MS);
  };
}
