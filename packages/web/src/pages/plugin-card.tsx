import type { ApiPlugin } from '@toolpost/protocol';
import { hashOf } from '../app/place.ts';
import { formatBytes, formatDuration, plural } from '../text/format.ts';
import { plainLine, plainText } from '../text/plain-text.ts';

const STATES: Readonly<Record<ApiPlugin['state'], string>> = {
  discovered: 'not started: the first call that needs it starts it',
  active: 'loaded, takes calls',
  inactive: 'disabled, takes no calls',
  error: 'does not work',
};

interface PluginCardProps {
  readonly plugin: ApiPlugin;
  /** Whether something is being done to one of them. */
  readonly isBusy: boolean;
  readonly onRestart: () => void;
  readonly onStop: () => void;
}

export function PluginCard({ plugin, isBusy, onRestart, onStop }: PluginCardProps) {
  const { id, version, runtime, state, tools, error, dir, processes, mayStop } = plugin;
  return (
    <li className={`plugin ${state}`}>
      <header>
        <h2>{plainLine(id)}</h2>
        <span className="dim">
          {plainLine(runtime)} {plainLine(version)}
        </span>
        <span className={`tag state-${state}`}>{state}</span>
        <span className="dim">{STATES[state]}</span>
        {mayStop && (
          <span className="plugin-acts">
            <button
              type="button"
              className="button"
              disabled={isBusy}
              aria-label={`Restart ${plainLine(id)}`}
              onClick={onRestart}
            >
              Restart
            </button>
            {processes.length > 0 && (
              <button
                type="button"
                className="button"
                disabled={isBusy}
                aria-label={`Stop ${plainLine(id)}`}
                onClick={onStop}
              >
                Stop
              </button>
            )}
          </span>
        )}
      </header>
      {error !== undefined && <p className="note error">{plainText(error)}</p>}
      {tools.length > 0 && (
        <p className="plugin-tools">
          {tools.map((name) => (
            <a key={name} className="tag" href={hashOf({ page: 'tools', name })}>
              {plainLine(name)}
            </a>
          ))}
        </p>
      )}
      {processes.map((process) => (
        <Process key={process.pid} process={process} />
      ))}
      {dir !== undefined && <p className="dim path">{plainLine(dir)}</p>}
    </li>
  );
}

function Process({ process }: { readonly process: ApiPlugin['processes'][number] }) {
  const { pid, ageMs, memoryBytes, restarts, lastStderr, tenant } = process;
  const facts = [
    `process ${pid}`,
    `up ${formatDuration(ageMs)}`,
    memoryBytes === undefined ? undefined : formatBytes(memoryBytes),
    restarts > 0 ? plural(restarts, 'restart') : undefined,
    // Whoever has no tenant has the empty one.
    tenant ? `for ${plainLine(tenant)}` : undefined,
  ];
  return (
    <div className="process">
      <p className="dim">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
      {lastStderr.length > 0 && (
        <details>
          <summary>What it logged last</summary>
          <pre className="plain">{plainText(lastStderr.join('\n'))}</pre>
        </details>
      )}
    </div>
  );
}
