import { findRow, hasRow, listRows } from '../../../platform/db/statements.ts';
import type { RestoreRow } from './restore.ts';

const COLUMNS = `r.id, r.workspace_id as "workspaceId", r.cause, r.since, r.note,
  r.declared_by as "declaredBy", r.created_at as "createdAt", r.released_at as "releasedAt",
  r.released_by as "releasedBy"`;

/** The restores of a Workspace, newest first. */
export const listRestores = listRows<RestoreRow, [workspaceId: string, limit: number]>(
  `select ${COLUMNS} from restores r where r.workspace_id = $1 order by r.id desc limit $2`,
);

/** Of all Workspaces, those that pay nothing. */
export const listOpenRestores = listRows<RestoreRow>(
  `select ${COLUMNS} from restores r where r.released_at is null order by r.id`,
);

export const findRestore = findRow<RestoreRow, [workspaceId: string, restoreId: string]>(
  `select ${COLUMNS} from restores r where r.workspace_id = $1 and r.id = $2`,
);

/** Whether a Workspace pays nothing because its store was restored. */
export const isOnHold = hasRow<[workspaceId: string]>(
  'select 1 from restores where workspace_id = $1 and released_at is null',
);

/** The last restore of a Project's Workspace, released or not. */
export const findLastRestoreOf = findRow<RestoreRow, [projectId: string]>(
  `select ${COLUMNS} from projects p join restores r on r.workspace_id = p.workspace_id
   where p.id = $1 order by r.id desc limit 1`,
);
