/**
 * What is told of a plugin that does not simply work. `crashed`: its process ended by itself, and the next call starts it
 * again. `error`: it could not be started. `stopped`: somebody ended it. `active`: it runs again.
 */
export interface PluginNews {
  readonly state: 'crashed' | 'error' | 'stopped' | 'active';
  /** Why, with secrets masked. */
  readonly error?: string;
}

/** Tells of changes alone: that a plugin runs is news only after it did not. */
export interface PluginNewsTeller {
  works(): void;
  fails(state: Exclude<PluginNews['state'], 'active'>, error?: string): void;
}

export function createPluginNewsTeller(tell: (news: PluginNews) => void): PluginNewsTeller {
  let last: PluginNews = { state: 'active' };
  const change = (news: PluginNews) => {
    if (news.state === last.state && news.error === last.error) return;
    last = news;
    tell(news);
  };
  return {
    works: () => change({ state: 'active' }),
    fails: (state, error) => change({ state, ...(error !== undefined && { error }) }),
  };
}
