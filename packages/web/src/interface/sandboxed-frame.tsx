import type { Ref } from 'react';

interface SandboxedFrameProps {
  readonly ref: Ref<HTMLIFrameElement>;
  readonly title: string;
  /** In CSS pixels; of the panel, which has a height of its own, none. */
  readonly height: number | undefined;
}

/** The only way into the page for what tools draw: scripts run, and there is no origin, no navigation and no permission. */
export function SandboxedFrame({ ref, title, height }: SandboxedFrameProps) {
  return (
    <iframe
      ref={ref}
      className="interface-frame"
      src="/frame/"
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      allow=""
      style={height === undefined ? undefined : { height }}
    />
  );
}
