import type { Session } from '../../src/platform/db/driver.ts';

/** How many rows a statement has read. */
export interface Reading {
  readonly text: string;
  readonly rows: number;
}

/**
 * What this connection's scans have read of our tables since it last told the statistics:
 * entries of indexes, and rows of tables walked through. It tells them only between
 * transactions.
 */
const READ_SO_FAR = `select coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)), 0)::int as rows
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')`;

/** Counts what every statement of a transaction reads, by the plan that it really ran with. */
export function countReads(
  session: Session,
  onReading: (reading: Promise<Reading>) => void,
): Session {
  const readSoFar = async () => (await session.query<{ rows: number }>(READ_SO_FAR))[0]?.rows ?? 0;
  let before: Promise<number> | undefined;
  return {
    query: <R>(text: string, params?: readonly unknown[]) => {
      // Nothing may be asked before it.
      if (text.startsWith('set transaction')) return session.query<R>(text, params);
      const start = before ?? readSoFar();
      const outcome = session.query<R>(text, params);
      const end = readSoFar();
      before = end;
      const reading = Promise.all([start, end]).then(([from, to]) => ({ text, rows: to - from }));
      reading.catch(() => undefined);
      onReading(reading);
      return outcome;
    },
    script: (text) => session.script(text),
    commit: () => session.commit(),
    rollback: () => session.rollback(),
  };
}
