import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COUNTS_IN_PERIOD } from '../../src/domain/rewards/reward.ts';
import { paidFor } from '../../src/domain/tracking/store.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATIONS = readdirSync(FOLDER)
  .toSorted()
  .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
  .join('\n');

/** Without the row's name, and with single spaces. */
const plain = (sql: string) => sql.replaceAll(/\br\./g, '').replaceAll(/\s+/g, ' ').trim();

/** What the newest index of that name is limited to. */
function conditionOf(index: string): string {
  const made = [
    ...MIGRATIONS.matchAll(new RegExp(`create index (?:if not exists )?${index}\\b([^;]*);`, 'g')),
  ];
  const [, condition] = (made.at(-1)?.[1] ?? '').split(/\bwhere\b/);
  if (condition === undefined) throw new Error(`There is no partial index ${index}.`);
  return plain(condition);
}

/** A query that says less, or says it otherwise, reads the whole table. */
test('queries ask for what their partial indexes are limited to, in the same words', () => {
  expect(plain(COUNTS_IN_PERIOD)).toBe(conditionOf('rewards_in_period'));
  expect(plain(paidFor('true', '$3'))).toContain(conditionOf('purchases_paid'));
});
