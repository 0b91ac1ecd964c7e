/** Names that one address is remembered for; the servers of a few hosts of one provider may share it. */
const MAX_NAMES = 16;

/** Which names led a guest to an address: a TCP connection names the address only. */
export interface KnownAddresses {
  add(address: readonly number[], name: string): void;
  namesOf(address: readonly number[]): readonly string[];
}

/** Remembers the `max` addresses that were looked up last. */
export function createKnownAddresses(max: number): KnownAddresses {
  const names = new Map<string, string[]>();
  return {
    add(address, name) {
      const key = address.join();
      const others = (names.get(key) ?? []).filter((other) => other !== name);
      names.delete(key);
      names.set(key, [...others, name].slice(-MAX_NAMES));
      const [oldest] = names.keys();
      if (names.size > max && oldest !== undefined) names.delete(oldest);
    },
    namesOf: (address) => names.get(address.join()) ?? [],
  };
}
