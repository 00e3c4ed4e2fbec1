import type { Queryable } from './driver.ts';

/** Queries nothing, so that it fails only if the database is unreachable or overloaded. */
export function doesAnswer(source: Queryable): Promise<boolean> {
  return source.query('select 1').then(
    () => true,
    () => false,
  );
}
