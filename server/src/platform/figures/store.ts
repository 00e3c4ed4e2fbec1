import type { Queryable } from '../db/driver.ts';
import { insertRows, numeric, text, timestamptz } from '../db/write-rows.ts';
import type { Instant } from '../kit/instant.ts';
import type { Figure } from './tally.ts';

interface CounterRow {
  readonly subject: string;
  readonly name: string;
  readonly value: string;
  readonly firstAt: Instant | null;
}

const COUNTER = `subject, name, value::text as value, first_at as "firstAt"`;

async function query(db: Queryable, text: string, params: readonly unknown[]): Promise<Figure[]> {
  const rows = await db.query<CounterRow>(text, params);
  return rows.map(({ value, ...row }) => ({ ...row, value: BigInt(value) }));
}

/** Each subject's own rows: subjects are looked up one by one, whatever the assumed size of a Project. */
const ofSubjects = (condition = '') => `select ${COUNTER}
  from unnest($2::text[]) as asked (asked_subject)
  cross join lateral (select * from counters c
    where c.project_id = $1 and c.subject = asked_subject ${condition} offset 0) as found`;

/** Each subject must be given once. */
export function listCounters(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  names: readonly string[],
): Promise<Figure[]> {
  return query(db, `${ofSubjects()} where name = any($3::text[])`, [projectId, subjects, names]);
}

export async function findCounter(
  db: Queryable,
  projectId: string,
  subject: string,
  name: string,
): Promise<bigint> {
  const [row] = await db.query<{ value: string }>(
    `select value::text as value from counters
     where project_id = $1 and subject = $2 and name = $3`,
    [projectId, subject, name],
  );
  return BigInt(row?.value ?? 0);
}

/** All of a subject; for subjects with few. */
export function listCountersOf(
  db: Queryable,
  projectId: string,
  subject: string,
): Promise<Figure[]> {
  return query(
    db,
    `select ${COUNTER} from counters where project_id = $1 and subject = $2 order by name`,
    [projectId, subject],
  );
}

const DAILY = `c.name like '____-__-__:%'`;

/** These subjects' figures with names that begin with a day, from one day to before another. */
export function listDailyCounters(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  range: { readonly from: string; readonly before: string },
): Promise<Figure[]> {
  return query(
    db,
    ofSubjects(`and ${DAILY} and c.name collate "C" >= $3 and c.name collate "C" < $4`),
    [projectId, subjects, range.from, range.before],
  );
}

/** As in the index `counters_of_referrers`. */
const OF_REFERRERS = `c.name like '%referrals' and c.name not like '____-__-__:%'`;

/** The highest of these, in descending order; ties by who came first. */
export function listTopReferrers(
  db: Queryable,
  projectId: string,
  name: string,
  limit: number,
): Promise<Figure[]> {
  return query(
    db,
    `select ${COUNTER} from counters c
     where c.project_id = $1 and c.name = $2 and ${OF_REFERRERS}
     order by c.value desc, c.subject limit $3`,
    [projectId, name, limit],
  );
}

export function listCountersOfAll(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
): Promise<Figure[]> {
  return query(db, ofSubjects(), [projectId, subjects]);
}

export const addToCounters = insertRows<Figure>(
  'counters',
  {
    subject: text((one) => one.subject),
    name: text((one) => one.name),
    value: numeric((one) => String(one.value)),
    first_at: timestamptz((one) => one.firstAt),
  },
  `on conflict (project_id, subject, name) do update set
     value = counters.value + excluded.value,
     first_at = coalesce(counters.first_at, excluded.first_at)`,
);
