/** On a grid of 24, drawn in lines. */
const PATHS: Readonly<Record<string, string>> = {
  alert: 'M12 4 3 20h18zM12 10v4M12 17v.5',
  'arrow-down': 'M12 5v14M6 13l6 6 6-6',
  'arrow-left': 'M19 12H5M11 6l-6 6 6 6',
  'arrow-right': 'M5 12h14M13 6l6 6-6 6',
  'arrow-up': 'M12 19V5M6 11l6-6 6 6',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  chart: 'M4 4v16h16M8 16v-5M12 16V8M16 16v-7',
  check: 'M4 12l6 6L20 6',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
  close: 'M5 5l14 14M19 5 5 19',
  cloud: 'M7 18a4 4 0 0 1 0-8 6 6 0 0 1 11 2 3 3 0 0 1 0 6z',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  cpu: 'M7 7h10v10H7zM10 10h4v4h-4zM9 3v4M15 3v4M9 17v4M15 17v4M3 9h4M3 15h4M17 9h4M17 15h4',
  database: 'M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0zM4 6c0 4 16 4 16 0M4 12c0 4 16 4 16 0',
  dot: 'M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  down: 'M5 9l7 7 7-7',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  eye: 'M2 12c5-9 15-9 20 0-5 9-15 9-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  folder: 'M3 6h7l2 3h9v11H3z',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18',
  heart: 'M12 20C-4 10 6 0 12 7c6-7 16 3 0 13z',
  home: 'M4 11l8-7 8 7v9h-6v-6h-4v6H4z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7v.5',
  left: 'M15 5l-7 7 7 7',
  link: 'M10 14l4-4M9 11 6 14a3 3 0 0 0 4 4l3-3M15 13l3-3a3 3 0 0 0-4-4l-3 3',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  mail: 'M3 6h18v13H3zM3 7l9 7 9-7',
  menu: 'M4 6h16M4 12h16M4 18h16',
  minus: 'M5 12h14',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4l13 8-13 8z',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  right: 'M9 5l7 7-7 7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  send: 'M4 4l17 8-17 8 3-8z',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5v.1M8 16.5v.1',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  star: 'M12 3l3 6 6 1-4.5 4.5 1 6.5-5.5-3-5.5 3 1-6.5L3 10l6-1z',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8v.1',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14',
  up: 'M5 15l7-7 7 7',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-9 16-9 16 0',
  zap: 'M13 3 5 14h6l-1 7 8-11h-6z',
};

interface IconProps {
  readonly name: string;
  readonly size?: number;
  /** For who does not see it; without one it is decoration. */
  readonly label?: string;
}

/** A small picture; one that there is not is a dot. */
export function Icon({ name, size = 16, label }: IconProps) {
  const path = <path d={Object.hasOwn(PATHS, name) ? PATHS[name] : PATHS.dot} />;
  const shape = { className: 'ui-icon', viewBox: '0 0 24 24', width: size, height: size };
  if (label === undefined)
    return (
      <svg aria-hidden="true" {...shape}>
        {path}
      </svg>
    );
  return (
    <svg role="img" aria-label={label} {...shape}>
      {path}
    </svg>
  );
}
