import type { Tx } from '../../../platform/db/database.ts';
import { listRows, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ViewFilters, ViewList } from './view-lists.ts';

export interface StoredView {
  readonly id: string;
  readonly list: ViewList;
  readonly name: string;
  readonly filters: ViewFilters;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** In the order in which they were saved. */
export const listViews = listRows<StoredView, [userId: string, projectId: string]>(
  `select id, list, name, filters, created_at as "createdAt", updated_at as "updatedAt"
   from saved_views where user_id = $1 and of_project = $2 order by id`,
);

export interface NewView {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly list: ViewList;
  readonly name: string;
  readonly filters: ViewFilters;
}

export function insertView(tx: Tx, view: NewView, now: Instant): void {
  tx.send(
    `insert into saved_views (id, workspace_id, user_id, of_project, list, name, filters, created_at,
       updated_at)
     values ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $8)`,
    [
      view.id,
      view.workspaceId,
      view.userId,
      view.projectId,
      view.list,
      view.name,
      JSON.stringify(view.filters),
      now,
    ],
  );
}

export function updateView(
  tx: Tx,
  viewId: string,
  { name, filters }: { readonly name: string; readonly filters: ViewFilters },
  now: Instant,
): void {
  tx.send(
    `update saved_views set name = $2, filters = $3::text::jsonb, updated_at = $4 where id = $1`,
    [viewId, name, JSON.stringify(filters), now],
  );
}

export const deleteView = sendWrite<[viewId: string, userId: string, projectId: string]>(
  'delete from saved_views where id = $1 and user_id = $2 and of_project = $3',
);
