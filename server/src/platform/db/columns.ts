import type { Instant } from '../kit/instant.ts';

/** A column of many rows: its type in the database, and its value in each row. */
export interface Column<R> {
  readonly type: string;
  readonly read: (row: R) => unknown;
}

/** The columns of a statement, by their names in the table. */
export type Columns<R> = Readonly<Record<string, Column<R>>>;

function ofType<V>(type: string) {
  return <R>(read: (row: R) => V | null): Column<R> => ({ type, read });
}

export const text = ofType<string>('text');
export const boolean = ofType<boolean>('boolean');
export const smallint = ofType<number>('smallint');
export const integer = ofType<number>('integer');
/** Amounts come as strings where they go out as such. */
export const bigint = ofType<number | bigint | string>('bigint');
export const numeric = ofType<string>('numeric');
export const date = ofType<string>('date');
export const timestamptz = ofType<Instant>('timestamptz');
/** JSON that is written already. */
export const jsonText = ofType<string>('json');

/** Any value, written as JSON; null stays the null of SQL. */
export function json<R>(read: (row: R) => unknown): Column<R> {
  return jsonText((row) => {
    const value = read(row);
    return value === null ? null : JSON.stringify(value);
  });
}
