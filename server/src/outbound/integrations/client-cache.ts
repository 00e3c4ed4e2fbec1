import { LRUCache } from 'lru-cache';
import type { ConnectionRow } from './payout-connections/payout-connection.ts';

const KEPT_MAX = 1_000;

/**
 * Caches one client per connection, with its sessions, until the connection's credentials change.
 */
export function createClientCache<T>(): (
  row: Pick<ConnectionRow, 'id' | 'sealed'>,
  make: () => T,
) => T {
  const kept = new LRUCache<string, { readonly sealed: string; readonly made: T }>({
    max: KEPT_MAX,
  });
  return ({ id, sealed }, make) => {
    const before = kept.get(id);
    if (before?.sealed === sealed) return before.made;
    const made = make();
    kept.set(id, { sealed, made });
    return made;
  };
}
