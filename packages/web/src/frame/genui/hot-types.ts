import type { ComponentType } from 'react';

type Component = (props: Readonly<Record<string, unknown>>) => unknown;

interface Family {
  current: Component;
  hooks: string;
  version: number;
  readonly stable: Component;
}

/**
 * Keeps the state of an interface while its code is written: each version has functions of its own, and React would begin
 * anew with each. A component is known again by its name; one whose hooks are others begins anew.
 */
export interface HotTypes {
  /** A new version of the code runs now; `isFinal`: it is whole. */
  startVersion(isFinal: boolean): void;
  /** What to give React for a type that the code gave. */
  stable(type: unknown): unknown;
}

export function createHotTypes(isLibrary: (type: object) => boolean): HotTypes {
  const families = new Map<string, Family>();
  let version = 0;
  let isWhole = false;

  function adopt(name: string, type: Component): Component {
    const family = families.get(name);
    if (family?.current === type) return family.stable;
    // Two of one name in one version: only one can have it.
    if (family?.version === version) return type;
    const hooks = hooksOf(type, isWhole);
    if (family?.hooks === hooks) {
      Object.assign(family, { current: type, version });
      return family.stable;
    }
    const made = createFamily(name, type, { hooks, version });
    families.set(name, made);
    return made.stable;
  }

  return {
    startVersion(isFinal) {
      version += 1;
      isWhole = isFinal;
    },
    stable(type) {
      if (typeof type !== 'function' || isLibrary(type) || isClass(type)) return type;
      return /^[A-Z]/.test(type.name) ? adopt(type.name, type as Component) : type;
    },
  };
}

function createFamily(name: string, current: Component, how: { hooks: string; version: number }): Family {
  const family: Family = { ...how, current, stable: (props) => family.current(props) };
  (family.stable as ComponentType).displayName = name;
  return family;
}

function isClass(type: { readonly prototype?: unknown }): boolean {
  const { prototype } = type;
  return typeof prototype === 'object' && prototype !== null && 'isReactComponent' in prototype;
}

/** An effect runs once for what it depends on: that of code that was not whole has to run again when it is, as written then. */
function hooksOf(type: Component, isWhole: boolean): string {
  const hooks = (String(type).match(/\buse[A-Z]\w*/g) ?? []).join(' ');
  return isWhole && /\buse(?:Layout)?Effect\b/.test(hooks) ? `${hooks} ${String(type)}` : hooks;
}
