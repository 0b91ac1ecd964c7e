import type { ApiWhy } from '@toolpost/protocol';
import { hashOf } from '../app/place.ts';
import { DiffView } from '../renderers/diff-view.tsx';
import { plainLine, plainText, spelledOut } from '../text/plain-text.ts';

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
            <p>{one.status === 'visible' ? 'a new session sees it' : plainLine(one.reason)}</p>
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
      {permissions && <Decisions permissions={permissions} alwaysAllowed={alwaysAllowed} />}
      {hooks.length > 0 && <Hooks hooks={hooks} />}
      {candidates.length === 0 &&
        brokenPlugins.map(({ id, error }) => (
          <p key={id} className="note error">
            The plugin {plainLine(id)} might offer it, but it does not work: {plainText(error)}
          </p>
        ))}
    </section>
  );
}

interface DecisionsProps {
  readonly permissions: NonNullable<ApiWhy['permissions']>;
  readonly alwaysAllowed: ApiWhy['alwaysAllowed'];
}

/** The rules in the order in which they count, as `toolpost why` tells them. */
function Decisions({ permissions: { rules, byDefault }, alwaysAllowed }: DecisionsProps) {
  return (
    <>
      <h3>What decides about its calls</h3>
      <ul className="decisions">
        {rules.map(({ decision, text, place }) => (
          <li key={`${decision} ${text} ${place}`}>
            <strong>{decision}</strong> <code>{spelledOut(text)}</code> <span className="dim">{plainLine(place)}</span>
          </li>
        ))}
        <li>
          {rules.length > 0 && 'else '}by default: {plainLine(byDefault)}
        </li>
        {alwaysAllowed.map(({ id, arguments: given }) => (
          <li key={id}>
            but always allowed: <code>{spelledOut(given)}</code> <span className="dim">{plainLine(id)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Hooks({ hooks }: Pick<ApiWhy, 'hooks'>) {
  return (
    <>
      <h3>Hooks that hear of its calls</h3>
      <ul className="decisions">
        {hooks.map(({ plugin, event, matcher, failClosed }) => (
          <li key={`${plugin} ${event} ${matcher}`}>
            {plainLine(event)} of {matcher === '*' ? 'every tool' : plainLine(matcher)}
            {failClosed && ' (denies when it fails)'}, by the plugin {plainLine(plugin)}
          </li>
        ))}
      </ul>
    </>
  );
}
