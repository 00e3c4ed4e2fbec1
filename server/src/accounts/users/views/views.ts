import type { Tx } from '../../../platform/db/database.ts';
import type { Principal, WriteRequest } from '../../../platform/http/access/principal.ts';
import { type KnownIds, makeIdCheck } from '../../../platform/http/routes/known-ids.ts';
import { AppError, noSuch, notFound } from '../../../platform/kit/errors.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { ChangeView, SavedView, SaveView } from '../schema.ts';
import { lockMembership } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import { checkChange, decideSave } from './decide-view.ts';
import type { FilterCheck, ViewFilters, ViewList } from './view-lists.ts';
import { tidyName } from './view-name.ts';
import { deleteView, insertView, listViews, type StoredView, updateView } from './view-store.ts';

export interface ViewDeps extends UserDeps {
  readonly filterCheck: FilterCheck;
  readonly knownIds: KnownIds;
}

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

export async function showViews(
  deps: ViewDeps,
  { userId, projectId }: ViewOwner,
): Promise<SavedView[]> {
  const views = await listViews(deps.database.reads, userId, projectId);
  return views.map((view) => present(deps, view));
}

/** Values that were valid when a view was saved may not be any more. */
function present({ filterCheck }: ViewDeps, view: StoredView): SavedView {
  return { ...view, invalidFilters: filterCheck.listInvalid(view.list, view.filters) };
}

/** Fails with INVALID_REQUEST for values that are none, and NOT_FOUND for ids that name nothing in the Project. */
async function assertFilters(
  { filterCheck, knownIds }: ViewDeps,
  { workspaceId, projectId: id }: ViewOwner,
  list: ViewList,
  filters: ViewFilters,
): Promise<void> {
  filterCheck.assertValid(list, filters);
  const check = makeIdCheck({ path: list, query: filterCheck.schemaOf(list) }, knownIds);
  await check({ id, workspaceId }, filters);
}

/** Fails with INVALID_REQUEST, NOT_FOUND or CONFLICT; a repeat returns the view of the first call. */
export async function saveView(
  deps: ViewDeps,
  owner: ViewOwner,
  asked: SaveView,
): Promise<SavedView> {
  const { list, filters } = asked;
  const name = tidyName(asked.name);
  await assertFilters(deps, owner, list, filters);
  const now = toInstant(deps.clock.nowMs());
  const saved = await deps.database.transaction(async (tx) => {
    const decision = decideSave(await loadViews(tx, owner), { list, name, filters });
    if (decision !== 'insert') return decision;
    const id = deps.newId('view');
    insertView(tx, { id, ...owner, list, name, filters }, now);
    return { id, list, name, filters, createdAt: now, updatedAt: now };
  });
  return present(deps, saved);
}

/** Omitted fields keep their values. Fails with NOT_FOUND, INVALID_REQUEST or CONFLICT. */
export async function changeView(
  deps: ViewDeps,
  owner: ViewOwner,
  viewId: string,
  change: ChangeView,
): Promise<SavedView> {
  const now = toInstant(deps.clock.nowMs());
  const asked = change.name === undefined ? undefined : tidyName(change.name);
  if (change.filters) {
    const views = await listViews(deps.database.reads, owner.userId, owner.projectId);
    const view = views.find(({ id }) => id === viewId);
    if (!view) throw notFound('view');
    await assertFilters(deps, owner, view.list, change.filters);
  }
  const changed = await deps.database.transaction(async (tx) => {
    const existing = await loadViews(tx, owner);
    const view = existing.find(({ id }) => id === viewId);
    if (!view) throw notFound('view');
    const name = asked ?? view.name;
    const filters = change.filters ?? view.filters;
    checkChange(existing, view, { name });
    updateView(tx, viewId, { name, filters }, now);
    return { ...view, name, filters, updatedAt: now };
  });
  return present(deps, changed);
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
