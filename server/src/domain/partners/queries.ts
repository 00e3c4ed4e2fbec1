import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import { lockPartner } from './partner-store.ts';
import { type ApplicationRow, countToDecide, findApplication } from './store.ts';

/** Number of applications that can be decided; counts at most `most`. */
export function countWaitingApplications(
  db: Queryable,
  projectId: string,
  most: number,
): Promise<number> {
  return countToDecide(db, projectId, most);
}

/** Prevents changes to a Partner until the transaction ends. Undefined if it does not exist or was erased. */
export function holdPartner(
  tx: Tx,
  partnerId: string,
): Promise<{ workspaceId: string; environment: Environment } | undefined> {
  return lockPartner(tx, partnerId);
}

export function findApplicationState(
  db: Queryable,
  projectId: string,
  applicationId: string,
): Promise<Pick<ApplicationRow, 'id' | 'name' | 'status'> | undefined> {
  return findApplication(db, projectId, applicationId);
}
