import type { Queryable } from '../../../../platform/db/driver.ts';
import type { CursorPage } from '../../../../platform/http/routes/paging.ts';
import { listParked } from '../events/event-store.ts';
import { type StripeParked, toParked } from './parked-schema.ts';

export { countParked } from '../events/event-store.ts';

/** Newest first, one more than the page size. */
export async function showParked(
  db: Queryable,
  projectId: string,
  page: CursorPage,
): Promise<StripeParked[]> {
  return (await listParked(db, projectId, page)).map(toParked);
}
