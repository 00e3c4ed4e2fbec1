import type { Queryable } from '../../../platform/db/driver.ts';
import { isEvent } from './read-store.ts';

/** For those below who are asked about an Event that they only know by its id. */
export function hasEvent(source: Queryable, projectId: string, eventId: string): Promise<boolean> {
  return isEvent(source, projectId, eventId);
}
