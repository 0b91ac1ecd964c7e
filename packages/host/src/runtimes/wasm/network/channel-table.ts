/** The flags of one channel, seen by the worker at once. */
export interface ChannelFlags {
  raise(bits: number): void;
  clear(bits: number): void;
}

/** Something that goes on for a guest, under a number. */
export interface Channel {
  /** Ends it at once; nothing of it is left. May be called twice. */
  destroy(): void;
}

/** The channels of one instance, as many as it may have. */
export interface ChannelTable<Kind extends Channel> {
  /** Shared with the worker: one Int32 for each channel. */
  readonly flags: SharedArrayBuffer;
  /** The link's counter, once the worker has sent it. */
  wakeBy(wake: SharedArrayBuffer): void;
  /** The number of a new channel; undefined when all are taken. */
  add(open: (flags: ChannelFlags) => Kind): number | undefined;
  get(number: number): Kind | undefined;
  close(number: number): void;
  closeAll(): void;
}

export function createChannelTable<Kind extends Channel>(size: number): ChannelTable<Kind> {
  const shared = new SharedArrayBuffer(size * Int32Array.BYTES_PER_ELEMENT);
  const flags = new Int32Array(shared);
  const entries: ({ channel: Kind; flags: ChannelFlags & { isOpen: boolean } } | undefined)[] =
    Array(size).fill(undefined);
  let counter: Int32Array | undefined;

  /** Of no effect once the channel is closed: its number may be another one's then. */
  function flagsOf(number: number) {
    return {
      isOpen: true,
      raise(bits: number) {
        if (!this.isOpen) return;
        const before = Atomics.or(flags, number, bits);
        if ((before & bits) === bits || !counter) return;
        Atomics.add(counter, 0, 1);
        Atomics.notify(counter, 0);
      },
      clear(bits: number) {
        if (this.isOpen) Atomics.and(flags, number, ~bits);
      },
    };
  }

  function close(number: number): void {
    const entry = entries[number];
    if (!entry) return;
    entry.flags.isOpen = false;
    entries[number] = undefined;
    entry.channel.destroy();
  }

  return {
    flags: shared,
    wakeBy(wake) {
      counter = new Int32Array(wake, 0, 1);
    },
    add(open) {
      const number = entries.indexOf(undefined);
      if (number === -1) return undefined;
      Atomics.store(flags, number, 0);
      const own = flagsOf(number);
      entries[number] = { channel: open(own), flags: own };
      return number;
    },
    get: (number) => entries[number]?.channel,
    close,
    closeAll() {
      for (const number of entries.keys()) close(number);
    },
  };
}
