import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** What processes remember by the Project's config number. */
const TABLES = [
  'programs',
  'program_intervals',
  'attribution_policies',
  'risk_policies',
  'risk_lists',
  'delivery_settings',
  'units',
  'benefit_rules',
  'reward_terms',
  'sources',
  'webhook_endpoints',
  'stripe_connections',
];
/** Columns that nobody remembers: they change with facts. */
const COUNTERS = /^update programs (p )?set (enrollment|referral)_count = /;

const WRITE = new RegExp(
  `(?:(?:insert into|update|delete from)\\s+|(?:insert|update)Rows[^(']*\\(\\s*')(?:${TABLES.join('|')})\\b[^\`']*`,
  'g',
);

/** Each write of a remembered table in all stores, with the function it stands in. */
function findWrites(): { place: string; sql: string; declaration: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const functions = readFileSync(join(SRC, path), 'utf8').split(
        /^(?=export |function |const )/m,
      );
      return functions.flatMap((text) =>
        [...text.matchAll(WRITE)].map(([sql]) => ({
          place: `${path}: ${text.slice(0, text.indexOf('('))}`,
          sql: sql.replaceAll(/\s+/g, ' '),
          declaration: text.slice(0, text.indexOf('{')),
        })),
      );
    });
}

test('every statement that changes settings asks for a transaction that raises their number', () => {
  const writes = findWrites();
  const forgetful = writes
    .filter(({ sql }) => !COUNTERS.test(sql))
    .filter(({ declaration }) => !/\btx: ConfigTx\b/.test(declaration));
  expect(forgetful.map(({ place }) => place)).toEqual([]);
  // The check sees what is there: each table is written somewhere.
  for (const table of TABLES) {
    expect(writes.filter(({ sql }) => sql.includes(` ${table} `))).not.toEqual([]);
  }
});
