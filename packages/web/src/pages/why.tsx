import type { ApiWhy } from '@toolpost/protocol';
import { hashOf } from '../app/place.ts';
import { DiffView } from '../renderers/diff-view.tsx';
import { TreeView } from '../renderers/tree-view.tsx';
import { plainLine } from '../text/plain-text.ts';

/** Why a name is there or not, and what decides about its calls. */
export function Why({ why }: { readonly why: ApiWhy }) {
  const { candidates, similar, permissions, alwaysAllowed, hooks, brokenPlugins } = why;
  return (
    <section aria-label="Why">
      <h3>Why</h3>
      {candidates.length === 0 && <p>No plugin offers this name.</p>}
      <ul className="candidates">
        {candidates.map((one) => (
          <li key={`${one.plugin} ${one.scope} ${one.status}`}>
            <strong>{plainLine(one.plugin)}</strong> <span className="tag">{plainLine(one.status)}</span>
            <p>{plainLine(one.reason)}</p>
            {typeof one.patch === 'string' && <DiffView diff={one.patch} />}
          </li>
        ))}
      </ul>
      {similar.length > 0 && (
        <p>
          Near names:{' '}
          {similar.map((name) => (
            <a key={name} className="near" href={hashOf({ page: 'tools', name })}>
              {plainLine(name)}
            </a>
          ))}
        </p>
      )}
      {permissions && <Part title="What decides about its calls" value={permissions} />}
      {alwaysAllowed.length > 0 && <Part title="Calls that you always allowed" value={alwaysAllowed} />}
      {hooks.length > 0 && <Part title="Hooks that hear of its calls" value={hooks} />}
      {brokenPlugins.length > 0 && <Part title="Broken plugins that might offer it" value={brokenPlugins} />}
    </section>
  );
}

function Part({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <>
      <h3>{title}</h3>
      <TreeView value={value} label={title} />
    </>
  );
}
