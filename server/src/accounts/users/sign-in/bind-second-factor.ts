import type { Row } from '../../../platform/db/driver.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';

/** What the library encrypts, but not for the row that it stands in. */
const SEALED = ['secret', 'backup_codes'] as const;
/** The library's own form is hexadecimal: no value of it begins like this. */
const BOUND = 'v1.';

const contextOf = (userId: string, column: string) => `${userId}/${column}`;

/** Seals what the library would write, for this user and this column alone. */
export function bindSecondFactor(keyring: Keyring, userId: string, row: Row): Row {
  const bound = SEALED.flatMap((column) =>
    typeof row[column] === 'string'
      ? [[column, keyring.seal('second-factor', row[column], contextOf(userId, column))]]
      : [],
  );
  return { ...row, ...Object.fromEntries(bound) };
}

/**
 * What the library wrote. Throws for a value of another user or another column. Values that
 * an earlier version wrote are not bound, and are read as they are.
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

/** Whether anything of it is still as an earlier version wrote it. */
export function isUnbound(row: Row): boolean {
  return SEALED.some((column) => !String(row[column]).startsWith(BOUND));
}
