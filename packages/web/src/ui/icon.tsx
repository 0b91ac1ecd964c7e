const PATHS = {
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM14 14l-3.4-3.4',
  send: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  stop: 'M4.5 4.5h7v7h-7z',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  check: 'm3 8.5 3.2 3.2L13 5',
  cross: 'm4 4 8 8M12 4l-8 8',
  alert: 'M8 3.5v5.5M8 12v.5',
  blocked: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4',
  circle: 'M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.2l2 1.3',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  right: 'm6 4 4 4-4 4',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  inspect: 'M3 4h10M3 8h6M3 12h4M12 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  tool: 'M10 2.5a3.5 3.5 0 0 0-3.3 4.7L2.5 11.4l2 2 4.3-4.2A3.5 3.5 0 0 0 13.4 5L11 7 9 5l2.4-2.2A3.5 3.5 0 0 0 10 2.5z',
  plug: 'M5.5 2v3M10.5 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14',
  lock: 'M4 7.5h8V13H4zM5.5 7.5V5.5a2.5 2.5 0 0 1 5 0v2',
} as const;

export type IconName = keyof typeof PATHS;

/** Beside words that say the same: a screen reader passes over it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      focusable="false"
      data-icon={name}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
