import type { TSchema } from 'typebox';
import { notFound } from '../../kit/errors.ts';
import type { ProjectRef } from '../access/principal.ts';
import type { Route } from './route.ts';

/** By kind: whether an id names something in the Project. What was erased still exists. */
export type KnownIds = Readonly<
  Record<string, (project: ProjectPlace, id: string) => Promise<boolean>>
>;

type ProjectPlace = Pick<ProjectRef, 'id' | 'workspaceId'>;

interface NamedField {
  /** Of the query. */
  readonly name: string;
  readonly what: string;
}

/** The fields of a route's query that are declared with `IdOf`. */
export function listNamedFields({ query }: Pick<Route, 'query'>): NamedField[] {
  return Object.entries(query?.properties ?? {}).flatMap(([name, schema]) => {
    const what = (schema as TSchema & { 'x-names'?: string })['x-names'];
    return what === undefined ? [] : [{ name, what }];
  });
}

/** The check of a route's query. Fails at once for a kind that nobody can look up. */
export function makeIdCheck(
  route: Pick<Route, 'path' | 'query'>,
  known: KnownIds,
): (project: ProjectPlace, query: Readonly<Record<string, unknown>>) => Promise<void> {
  const fields = listNamedFields(route).map(({ name, what }) => {
    const isKnown = known[what];
    if (!isKnown) throw new Error(`${route.path} names a ${what}, which cannot be looked up.`);
    return { name, what, isKnown };
  });
  return async (project, query) => {
    const asked = fields.filter(({ name }) => query[name] !== undefined);
    const found = await Promise.all(
      asked.map(({ name, isKnown }) => isKnown(project, query[name] as string)),
    );
    const missing = asked[found.indexOf(false)];
    if (missing) throw notFound(missing.what);
  };
}
