import type { Queryable } from '../../../platform/db/driver.ts';
import { findEndpoint } from './endpoint-store.ts';

export async function findEndpointUrl(
  source: Queryable,
  projectId: string,
  endpointId: string,
): Promise<string | undefined> {
  return (await findEndpoint(source, projectId, endpointId))?.url;
}
