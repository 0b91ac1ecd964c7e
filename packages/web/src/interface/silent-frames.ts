/** A frame that is spoken with. */
export interface Member {
  /** Whether it has not answered for a while. */
  isSilent(): boolean;
  /** When something was done in it for the last time, in ms of the page's clock. */
  lastUsedAt(): number;
  /** It is ended: because it hangs, or because it shares its process with one that does. */
  end(why: 'silent' | 'beside'): void;
}

export interface SilentFrames {
  join(member: Member): () => void;
  /** One has been silent for too long. */
  endWith(first: Member): void;
}

/**
 * Browsers put all frames of one kind into one process, where one that hangs takes the others with it. Of those that are
 * silent together, the one in which something was done last has to be it; the others begin anew without it.
 */
export function createSilentFrames(): SilentFrames {
  const members = new Set<Member>();
  return {
    join(member) {
      members.add(member);
      return () => members.delete(member);
    },
    endWith(first) {
      const silent = [...members].filter((one) => one === first || one.isSilent());
      const guilty = silent.reduce((last, one) => (one.lastUsedAt() > last.lastUsedAt() ? one : last), first);
      for (const one of silent) one.end(one === guilty ? 'silent' : 'beside');
    },
  };
}

export const silentFrames = createSilentFrames();
