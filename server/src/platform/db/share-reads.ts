import { combineReads } from './combine-reads.ts';
import type { Database } from './database.ts';
import type { Queryable, Row } from './driver.ts';
import { gather } from './gather.ts';

type Parameters = readonly unknown[];

/** Calls of a statement that run as one, and how many such statements run at once. */
const SIZE_MAX = 200;
const AT_ONCE = 2;
const WAITING_MAX = 10_000;
const WAIT_MS = 10_000;

/**
 * Reads that are made at the same time, of the same statement with different parameters, as one
 * statement: for routes that many people call at once. Its parameters must have types, as
 * `combineReads` says. Each read sees all that was saved before it. Citus would not find the shard of
 * such a statement, so there each runs alone.
 */
export function shareReads(database: Pick<Database, 'reads' | 'isDistributed'>): Queryable {
  const byText = new Map<string, (params: Parameters) => Promise<Row[]>>();
  const readsOf = (text: string) => {
    const known = byText.get(text);
    if (known) return known;
    const read = gather<Parameters, Row[]>({
      run: (calls) => readTogether(database.reads, text, calls),
      sizeMax: SIZE_MAX,
      atOnce: AT_ONCE,
      waitingMax: WAITING_MAX,
      waitMs: WAIT_MS,
    });
    byText.set(text, read);
    return read;
  };
  return {
    query: <R = Row>(text: string, params: Parameters = []) =>
      database.isDistributed()
        ? database.reads.query<R>(text, params)
        : (readsOf(text)(params) as Promise<R[]>),
  };
}

/** The rows of each call. Equal calls are one. */
async function readTogether(
  reads: Queryable,
  text: string,
  calls: readonly Parameters[],
): Promise<Row[][]> {
  const places = new Map<string, number>();
  const different: Parameters[] = [];
  const placeOf = calls.map((params) => {
    const key = JSON.stringify(params);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, different.length);
    return different.push(params) - 1;
  });
  const rows = await readEach(reads, text, different);
  return placeOf.map((place) => rows[place] as Row[]);
}

async function readEach(
  reads: Queryable,
  text: string,
  calls: readonly Parameters[],
): Promise<Row[][]> {
  const combined = calls.length > 1 ? combineReads(text, calls) : null;
  if (combined) return combined.split(await reads.query<Row>(combined.text, combined.params));
  return Promise.all(calls.map((params) => reads.query<Row>(text, params)));
}
