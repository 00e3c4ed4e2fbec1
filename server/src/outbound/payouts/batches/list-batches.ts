import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import type { BatchStatus } from '../states.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { listBatches as listRows } from './batch-store.ts';

/** Those that the Project is in, newest first, one more than the page has. */
export function listBatches(
  source: Queryable,
  project: Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>,
  status: BatchStatus | null,
  page: CursorPage,
): Promise<BatchRow[]> {
  return listRows(source, { ...project, projectId: project.id }, status, page);
}
