import { LRUCache } from 'lru-cache';
import type { Tx } from '../../db/database.ts';

/** A part of a Project's settings. Make one per part, once: it is also the part's name. */
export interface ConfigPart<T> {
  load(tx: Tx, projectId: string): Promise<T>;
}

interface Entry {
  readonly configNumber: number;
  readonly parts: Map<ConfigPart<unknown>, unknown>;
}

/**
 * What this process remembers of Projects' settings, each by the number they had. The number
 * is read with the head's lock and rises in the transaction of every change, so what is
 * remembered under the number that now stands is what now stands.
 */
export class ConfigCache {
  readonly #entries: LRUCache<string, Entry>;

  constructor(projectsMax: number) {
    this.#entries = new LRUCache({ max: projectsMax });
  }

  /** In a transaction that holds the head's lock, read with this number. */
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
