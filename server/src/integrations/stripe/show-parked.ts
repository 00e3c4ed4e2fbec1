import type { Queryable } from '../../db/driver.ts';
import type { CursorPage } from '../../http/paging.ts';
import { listParked } from './event-store.ts';
import type { StripeParked } from './parked-schema.ts';
import { toParked } from './present-parked.ts';

/** Newest first, one more than the page has. */
export async function showParked(
  source: Queryable,
  projectId: string,
  page: CursorPage,
): Promise<StripeParked[]> {
  return (await listParked(source, projectId, page)).map(toParked);
}
