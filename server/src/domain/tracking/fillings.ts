import type { Queryable } from '../../platform/db/driver.ts';
import type { FeedDeps } from '../../platform/feed/list-events.ts';
import { findParties } from '../participants/find-parties.ts';
import { findProperties } from './read/find-properties.ts';

/** Where what events leave to be filled in is read. */
export function findFillings(reads: Queryable): Pick<FeedDeps, 'findParties' | 'findProperties'> {
  return {
    findParties: (projectId, ids) => findParties(reads, projectId, ids),
    findProperties: (projectId, ids) => findProperties(reads, projectId, ids),
  };
}
