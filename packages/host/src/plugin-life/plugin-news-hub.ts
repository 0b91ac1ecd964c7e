import type { Session } from '@toolpost/protocol';
import { isForPerson } from '../registry/audience.ts';
import type { Registry } from '../registry/registry.ts';
import type { PluginNews } from './plugin-news.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** News of a plugin, and which sessions have it. */
export interface PluginNewsItem extends PluginNews {
  readonly plugin: string;
  /** Whether the session has this plugin, and the process of it that the news is of. */
  isFor(session: Session): boolean;
}

export type PluginNewsListener = (news: PluginNewsItem) => void;

/** Where what happens to the plugins of a host becomes known. */
export interface PluginNewsHub {
  tell(slot: PluginSlot, news: PluginNews): void;
  /** Returns what ends that. */
  listen(listener: PluginNewsListener): () => void;
}

export function createPluginNewsHub(registry: Registry): PluginNewsHub {
  const listeners = new Set<PluginNewsListener>();
  return {
    tell({ plugin: { id }, tenant }, news) {
      const isFor = (session: Session) => {
        if (tenant !== undefined && tenant !== session.tenant) return false;
        return isForPerson(registry.plugins().find((entry) => entry.id === id) ?? {}, session);
      };
      for (const listener of listeners) listener({ ...news, plugin: id, isFor });
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
