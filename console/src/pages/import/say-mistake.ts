import { FIELDS, type Field, type ImportRow } from './plan-import.ts';
import type { RowResult } from './run-import.ts';

const SHOWN_MAX = 40;

const isField = (path: string): path is Field => Object.hasOwn(FIELDS, path);

/** What is wrong with a row: each field by its name on the page, with its value in the file. */
export function sayMistake({ issues }: Pick<RowResult, 'issues'>, row: ImportRow): string {
  return issues
    .map(({ path, issue }) => {
      if (!isField(path)) return [path, issue].filter(Boolean).join(' ');
      const value = row[path];
      const cut = value && value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value;
      return `${FIELDS[path].label}${cut ? ` “${cut}”` : ''} ${issue}`;
    })
    .join('; ');
}
