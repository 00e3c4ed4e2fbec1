import type { Queryable } from '../db/driver.ts';
import type { CursorPage } from '../http/paging.ts';
import type { ProjectRef } from '../http/principal.ts';
import { listBatches as listRows } from './batch-store.ts';
import type { BatchRow } from './payout.ts';
import type { BatchStatus } from './states.ts';

/** Those that the Project is in, newest first, one more than the page has. */
export function listBatches(
  source: Queryable,
  project: Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>,
  status: BatchStatus | null,
  page: CursorPage,
): Promise<BatchRow[]> {
  return listRows(source, { ...project, projectId: project.id }, status, page);
}
