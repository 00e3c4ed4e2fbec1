import type { Database } from '../../platform/db/database.ts';
import { purgeEach } from '../../platform/db/purge-each.ts';
import { listCutoffs } from '../../platform/feed/writer/project-clock.ts';
import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';
import { NETWORK_HASH_MS } from '../clicks/handle.ts';
import {
  deleteCards,
  deleteNetworks,
  listProjectsWithCards,
  listProjectsWithNetworks,
} from './store.ts';

/** Deletes a slice of the networks in which nobody was seen for as long as the networks of touches are kept. */
export async function purgeNetworks(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -NETWORK_HASH_MS);
  const cutoffs = await listCutoffs(database.reads, before, listProjectsWithNetworks);
  return purgeEach(database, cutoffs, (tx, id, cutoff) => deleteNetworks(tx, id, cutoff, limit));
}

/** Somebody who pays once a year keeps the same card known. */
const CARD_HASH_MS = 400 * DAY_MS;

/** The same of cards with which nobody paid for long. */
export async function purgeCards(database: Database, now: Instant, limit: number): Promise<number> {
  const before = addMs(now, -CARD_HASH_MS);
  const cutoffs = await listCutoffs(database.reads, before, listProjectsWithCards);
  return purgeEach(database, cutoffs, (tx, id, cutoff) => deleteCards(tx, id, cutoff, limit));
}
