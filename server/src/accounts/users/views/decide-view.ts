import { conflict } from '../../../platform/kit/errors.ts';
import type { SavedView } from '../schema.ts';
import type { ViewFilters, ViewList } from './view-lists.ts';

/** Per user, Project and list. */
export const VIEWS_MAX = 20;

interface AskedView {
  readonly list: ViewList;
  readonly name: string;
  readonly filters: ViewFilters;
}

/**
 * What saving a view does, given the user's views in the Project. A repeat finds the view that the first call saved.
 * Fails with CONFLICT if the name is used for other filters, or the list has the most views it can have.
 */
export function decideSave(existing: readonly SavedView[], asked: AskedView): SavedView | 'insert' {
  const ofList = existing.filter(({ list }) => list === asked.list);
  const namesake = ofList.find(({ name }) => name === asked.name);
  if (namesake) {
    if (hasSameFilters(namesake.filters, asked.filters)) return namesake;
    throw nameTaken();
  }
  if (ofList.length >= VIEWS_MAX) {
    throw conflict('limit_reached', `A list has at most ${VIEWS_MAX} views. Delete one first.`);
  }
  return 'insert';
}

/** Fails with CONFLICT if another view of the list has the new name. */
export function checkChange(
  existing: readonly SavedView[],
  view: SavedView,
  { name }: { readonly name: string },
): void {
  const isTaken = existing.some(
    (one) => one.id !== view.id && one.list === view.list && one.name === name,
  );
  if (isTaken) throw nameTaken();
}

function hasSameFilters(one: ViewFilters, other: ViewFilters): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

function nameTaken() {
  return conflict('name_taken', 'Another view of this list has that name.');
}
