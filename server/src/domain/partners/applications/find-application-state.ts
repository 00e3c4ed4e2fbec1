import type { Queryable } from '../../../platform/db/driver.ts';
import { type ApplicationRow, findApplication } from '../store.ts';

export function findApplicationState(
  source: Queryable,
  projectId: string,
  applicationId: string,
): Promise<Pick<ApplicationRow, 'id' | 'name' | 'status'> | undefined> {
  return findApplication(source, projectId, applicationId);
}
