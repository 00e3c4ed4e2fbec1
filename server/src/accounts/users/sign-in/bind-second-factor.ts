import type { Row } from '../../../platform/db/driver.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';

/** Columns that the library encrypts, but does not bind to their row. */
const SEALED = ['secret', 'backup_codes'] as const;
/** The library's own format is hexadecimal: none of its values begins like this. */
const BOUND = 'v1.';

const contextOf = (userId: string, column: string) => `${userId}/${column}`;

/** Seals the library's values for this user and this column only. */
export function bindSecondFactor(keyring: Keyring, userId: string, row: Row): Row {
  const bound = SEALED.flatMap((column) =>
    typeof row[column] === 'string'
      ? [[column, keyring.seal('second-factor', row[column], contextOf(userId, column))]]
      : [],
  );
  return { ...row, ...Object.fromEntries(bound) };
}

/**
 * The library's values. Throws for a value of another user or another column. Values of an earlier
 * version are not bound, and are read unchanged.
 */
export function unbindSecondFactor(keyring: Keyring, row: Row): Row {
  const userId = row.user_id as string;
  const opened = SEALED.flatMap((column) => {
    const value = row[column];
    if (typeof value !== 'string' || !value.startsWith(BOUND)) return [];
    return [[column, keyring.open('second-factor', value, contextOf(userId, column))]];
  });
  return { ...row, ...Object.fromEntries(opened) };
}

/** Whether any of its values was written by an earlier version. */
export function isUnbound(row: Row): boolean {
  return SEALED.some((column) => !String(row[column]).startsWith(BOUND));
}
