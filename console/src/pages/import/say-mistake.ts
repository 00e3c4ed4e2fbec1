import { FIELDS, type Field, type ImportRow } from './plan-import.ts';
import type { RowResult } from './run-import.ts';

const SHOWN_MAX = 40;

const STARTING: readonly (readonly [path: string, Field])[] = [
  ['startingMeasures.referrals', 'startingReferrals'],
  ['startingMeasures.purchases', 'startingPurchases'],
  ['startingMeasures.revenue', 'startingRevenue'],
];

/** The field of the page for a path of a row. */
function fieldOf(path: string): Field | undefined {
  if (Object.hasOwn(FIELDS, path)) return path as Field;
  return STARTING.find(([start]) => path === start || path.startsWith(`${start}.`))?.[1];
}

/** What is wrong with a row: each field by its name on the page, with its value in the file. */
export function sayMistake({ issues }: Pick<RowResult, 'issues'>, row: ImportRow): string {
  return issues
    .map(({ path, issue }) => {
      if (path === 'startingMeasures') return `What they brought before ${issue}`;
      const field = fieldOf(path);
      if (!field) return [path, issue].filter(Boolean).join(' ');
      const value = row[field];
      const cut = value && value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value;
      return `${FIELDS[field].label}${cut ? ` “${cut}”` : ''} ${issue}`;
    })
    .join('; ');
}
