import { conflict } from '../../../platform/kit/errors.ts';
import type { ViewFilters, ViewList } from './view-lists.ts';
import { foldName } from './view-name.ts';
import type { StoredView } from './view-store.ts';

/** Per user, Project and list. */
export const VIEWS_MAX = 20;

interface AskedView {
  readonly list: ViewList;
  readonly name: string;
  readonly filters: ViewFilters;
}

/**
 * What saving a view does, given the user's views in the Project. A repeat finds the view that the first call saved.
 * Fails with CONFLICT if the name, or one that looks the same, is used for other filters, or the list has the most
 * views it can have.
 */
export function decideSave(
  existing: readonly StoredView[],
  asked: AskedView,
): StoredView | 'insert' {
  const ofList = existing.filter(({ list }) => list === asked.list);
  const same = ofList.find(({ name }) => name === asked.name);
  if (same && hasSameFilters(same.filters, asked.filters)) return same;
  if (looksTaken(ofList, asked.name)) throw nameTaken();
  if (ofList.length >= VIEWS_MAX) {
    throw conflict('limit_reached', `A list has at most ${VIEWS_MAX} views. Delete one first.`);
  }
  return 'insert';
}

/** Fails with CONFLICT if another view of the list has the new name, or one that looks the same. */
export function checkChange(
  existing: readonly StoredView[],
  view: StoredView,
  { name }: { readonly name: string },
): void {
  const others = existing.filter(({ id, list }) => id !== view.id && list === view.list);
  if (name !== view.name && looksTaken(others, name)) throw nameTaken();
}

function looksTaken(views: readonly StoredView[], name: string): boolean {
  const folded = foldName(name);
  return views.some((one) => foldName(one.name) === folded);
}

function hasSameFilters(one: ViewFilters, other: ViewFilters): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

function nameTaken() {
  return conflict(
    'name_taken',
    'Another view of this list has that name, or one that looks the same.',
  );
}
