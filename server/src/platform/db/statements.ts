import type { Tx } from './database.ts';
import type { Queryable } from './driver.ts';

type Parameters = readonly unknown[];

/**
 * Defines a statement that reads rows. The parameters of the function are those of the statement, in
 * order: `listRows<Source, [projectId: string]>('select … where project_id = $1')`. `D` is `Tx` for
 * a statement that locks or writes.
 */
export function listRows<R, P extends Parameters = [], D extends Queryable = Queryable>(
  text: string,
) {
  return (db: D, ...params: P): Promise<R[]> => db.query<R>(text, params);
}

/** The same for the first row. */
export function findRow<R, P extends Parameters = [], D extends Queryable = Queryable>(
  text: string,
) {
  return async (db: D, ...params: P): Promise<R | undefined> =>
    (await db.query<R>(text, params))[0];
}

/** The same for the only column of each row. */
export function listValues<V, P extends Parameters = [], D extends Queryable = Queryable>(
  text: string,
) {
  return async (db: D, ...params: P): Promise<V[]> => {
    const rows = await db.query<Record<string, V>>(text, params);
    return rows.flatMap((row) => Object.values(row));
  };
}

/** The same for whether there is a row. */
export function hasRow<P extends Parameters = [], D extends Queryable = Queryable>(text: string) {
  return async (db: D, ...params: P): Promise<boolean> => (await db.query(text, params)).length > 0;
}

/** Defines a write whose result is not needed; see `Tx.send`. */
export function sendWrite<P extends Parameters>(text: string) {
  return (tx: Tx, ...params: P): void => tx.send(text, params);
}
