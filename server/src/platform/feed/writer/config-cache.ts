import { LRUCache } from 'lru-cache';
import type { Tx } from '../../db/database.ts';

/** A part of a Project's settings. Create one object per part: it is also the cache key. */
export interface ConfigPart<T> {
  load(tx: Tx, projectId: string): Promise<T>;
}

interface Entry {
  readonly configNumber: number;
  readonly parts: Map<ConfigPart<unknown>, unknown>;
}

/**
 * This process's cache of Projects' settings, each with its number. The number is read with the
 * head's lock and increases in the transaction of every change, so an entry with the current number
 * is current.
 */
export class ConfigCache {
  readonly #entries: LRUCache<string, Entry>;

  constructor(projectsMax: number) {
    this.#entries = new LRUCache({ max: projectsMax });
  }

  /** Call in a transaction that holds the head's lock, with the number read under it. */
  async read<T>(tx: Tx, projectId: string, configNumber: number, part: ConfigPart<T>): Promise<T> {
    const known = this.#entries.get(projectId);
    const entry: Entry =
      known?.configNumber === configNumber ? known : { configNumber, parts: new Map() };
    if (entry !== known) this.#entries.set(projectId, entry);
    if (entry.parts.has(part)) return entry.parts.get(part) as T;
    const value = await part.load(tx, projectId);
    entry.parts.set(part, value);
    return value;
  }
}
