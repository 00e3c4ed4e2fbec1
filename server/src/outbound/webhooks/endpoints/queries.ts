import type { Queryable } from '../../../platform/db/driver.ts';
import { listTroubles, type TroubleRow } from '../deliveries/delivery-store.ts';
import { type Endpoint, toEndpoint } from './endpoint-schema.ts';
import { findEndpoint, findEndpoints } from './endpoint-store.ts';

export async function findEndpointUrl(
  db: Queryable,
  projectId: string,
  endpointId: string,
): Promise<string | undefined> {
  return (await findEndpoint(db, projectId, endpointId))?.url;
}

/** Enabled endpoints with failing deliveries; each count stops at `most`. */
export async function findTroubles(
  db: Queryable,
  projectId: string,
  most: number,
): Promise<TroubleRow[]> {
  const rows = await listTroubles(db, projectId, most);
  return rows.filter(({ failed, retrying }) => failed + retrying > 0);
}

/** Oldest first. */
export async function showEndpoints(db: Queryable, projectId: string): Promise<Endpoint[]> {
  return (await findEndpoints(db, projectId)).map(toEndpoint);
}
