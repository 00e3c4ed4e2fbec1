import type { Queryable } from './driver.ts';

/** Queries nothing, so that it fails only if the database is unreachable or overloaded. */
export function doesAnswer(db: Queryable): Promise<boolean> {
  return db.query('select 1').then(
    () => true,
    () => false,
  );
}
