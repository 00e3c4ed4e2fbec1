import type { Tx } from '../../platform/db/database.ts';
import { toRows } from '../../platform/figures/figure-row.ts';
import { addToTally, type Figure, type Tally } from '../../platform/figures/tally.ts';
import { addToPartnerDays } from './partner-day-store.ts';

/**
 * Adds to the days of Partners, if it is not known who of the participants is one. Only for writes under
 * the Project's lock: an erasure deletes the days under it.
 */
export function savePartnerDays(tx: Tx, projectId: string, figures: Iterable<Figure>): void {
  const tally: Tally = new Map();
  for (const one of figures) addToTally(tally, one);
  const rows = toRows([...tally.values()].filter(({ value }) => value !== 0n));
  if (rows.length > 0) addToPartnerDays(tx, projectId, rows);
}
