import type { Tx } from '../../../platform/db/database.ts';
import type { Principal, WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError, noSuch, notFound } from '../../../platform/kit/errors.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { ChangeView, SavedView, SaveView } from '../schema.ts';
import { lockMembership } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import { checkChange, decideSave } from './decide-view.ts';
import { checkFilters } from './view-lists.ts';
import { deleteView, insertView, listViews, updateView } from './view-store.ts';

/** Whose views, and where. */
export interface ViewOwner {
  readonly userId: string;
  readonly workspaceId: string;
  readonly projectId: string;
}

/** Fails with FORBIDDEN for callers who are not users. */
export function toOwner(principal: Principal, { workspaceId, projectId }: WriteRequest): ViewOwner {
  if (principal.type === 'user') return { userId: principal.userId, workspaceId, projectId };
  throw new AppError('FORBIDDEN', 'Views belong to users: sign in to the console.');
}

export function showViews(deps: UserDeps, { userId, projectId }: ViewOwner): Promise<SavedView[]> {
  return listViews(deps.database.reads, userId, projectId);
}

/** Fails with INVALID_REQUEST or CONFLICT; a repeat returns the view of the first call. */
export function saveView(deps: UserDeps, owner: ViewOwner, asked: SaveView): Promise<SavedView> {
  const { list, name, filters } = asked;
  checkFilters(list, filters);
  const now = toInstant(deps.clock.nowMs());
  return deps.database.transaction(async (tx) => {
    const decision = decideSave(await loadViews(tx, owner), asked);
    if (decision !== 'insert') return decision;
    const id = deps.newId('view');
    insertView(tx, { id, ...owner, list, name, filters }, now);
    return { id, list, name, filters, createdAt: now, updatedAt: now };
  });
}

/** Omitted fields keep their values. Fails with NOT_FOUND, INVALID_REQUEST or CONFLICT. */
export function changeView(
  deps: UserDeps,
  owner: ViewOwner,
  viewId: string,
  change: ChangeView,
): Promise<SavedView> {
  const now = toInstant(deps.clock.nowMs());
  return deps.database.transaction(async (tx) => {
    const existing = await loadViews(tx, owner);
    const view = existing.find(({ id }) => id === viewId);
    if (!view) throw notFound('view');
    const name = change.name ?? view.name;
    const filters = change.filters ?? view.filters;
    checkFilters(view.list, filters);
    checkChange(existing, view, { name });
    updateView(tx, viewId, { name, filters }, now);
    return { ...view, name, filters, updatedAt: now };
  });
}

/** A repeat, and a view that does not exist, change nothing. */
export async function removeView(deps: UserDeps, owner: ViewOwner, viewId: string): Promise<void> {
  await deps.database.transaction(async (tx) =>
    deleteView(tx, viewId, owner.userId, owner.projectId),
  );
}

/** Locks the membership: of two concurrent calls, the second sees what the first saved. */
async function loadViews(tx: Tx, { workspaceId, userId, projectId }: ViewOwner) {
  const role = await lockMembership(tx, workspaceId, userId);
  if (role === undefined) throw noSuch('project');
  return listViews(tx, userId, projectId);
}
