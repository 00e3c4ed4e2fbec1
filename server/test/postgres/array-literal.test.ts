import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toArrayLiteral } from '../../src/platform/db/array-literal.ts';
import { copyPostgres } from '../database.ts';

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let client: pg.Client;
beforeAll(async () => {
  copy = await copyPostgres();
  client = new pg.Client({ connectionString: copy.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await copy.drop();
});

async function roundTrip(type: string, values: readonly unknown[]): Promise<unknown> {
  const { rows } = await client.query(`select to_json($1::${type}[]) as read`, [
    toArrayLiteral(values),
  ]);
  return rows[0].read;
}

/** Everything that PostgreSQL's text can hold: no NUL, no half of a pair. */
const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', ''));

test('every text comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.option(
          fc.oneof(
            text,
            fc.json(),
            fc.constantFrom('', 'null', 'NULL', '{}', '\\', '"', '\n', 'é', '\u2028', '😀'),
          ),
        ),
      ),
      async (values) => {
        expect(await roundTrip('text', values)).toEqual(values);
      },
    ),
    { numRuns: 300 },
  );
});

test('numbers, truths and nulls too', async () => {
  expect(await roundTrip('bigint', [1, -2n, 9_007_199_254_740_991, null, undefined])).toEqual([
    1,
    -2,
    9_007_199_254_740_991,
    null,
    null,
  ]);
  expect(await roundTrip('boolean', [true, false, null])).toEqual([true, false, null]);
  expect(await roundTrip('numeric', [1.5, 10n])).toEqual([1.5, 10]);
});
