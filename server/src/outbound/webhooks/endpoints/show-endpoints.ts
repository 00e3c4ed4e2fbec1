import type { Queryable } from '../../../platform/db/driver.ts';
import type { Endpoint } from './endpoint-schema.ts';
import { findEndpoints } from './endpoint-store.ts';
import { toEndpoint } from './present-endpoint.ts';

/** Oldest first. */
export async function showEndpoints(source: Queryable, projectId: string): Promise<Endpoint[]> {
  return (await findEndpoints(source, projectId)).map(toEndpoint);
}
