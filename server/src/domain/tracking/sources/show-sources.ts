import type { Queryable } from '../../../platform/db/driver.ts';
import type { Source } from '../schema.ts';
import { listSources } from './source-store.ts';

/** Oldest first. */
export function showSources(source: Queryable, projectId: string): Promise<Source[]> {
  return listSources(source, projectId);
}
