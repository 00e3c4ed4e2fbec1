import type { Queryable } from '../db/driver.ts';
import { bigint, insertRows, jsonbText, text } from '../db/write-rows.ts';
import { ADD_NUMBERS, FIGURES, type FigureRow, toFigures } from './figure-row.ts';
import type { Figure, Sum } from './tally.ts';

function query(db: Queryable, sql: string, params: readonly unknown[]): Promise<Figure[]> {
  return db.query<FigureRow>(sql, params).then(toFigures);
}

/** Subjects are looked up one by one, whatever the assumed size of a Project. */
const fromSubjects = (condition: string) => `from unnest($2::text[]) as asked (asked_subject)
  cross join lateral (select * from figures f
    where f.project_id = $1 and f.subject = asked_subject ${condition} offset 0) as found`;

const ofSubjects = (condition = '') => `select ${FIGURES} ${fromSubjects(condition)}`;

const IN_RANGE = 'and f.part >= $3 and f.part < $4';

/** All figures of each subject, which must be given once. */
export function listFigures(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
): Promise<Figure[]> {
  return query(db, ofSubjects(), [projectId, subjects]);
}

/** Those of one part. */
export function listFiguresOfPart(
  db: Queryable,
  projectId: string,
  subject: string,
  part: string,
): Promise<Figure[]> {
  return query(
    db,
    `select ${FIGURES} from figures where project_id = $1 and subject = $2 and part = $3`,
    [projectId, subject, part],
  );
}

/** Those of days, from one to before another. */
export function listDailyFigures(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  range: { readonly from: string; readonly before: string },
): Promise<Figure[]> {
  return query(db, ofSubjects(IN_RANGE), [projectId, subjects, range.from, range.before]);
}

/** The same added up: each number of a subject once, however many days there are. */
export function sumDailyFigures(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  range: { readonly from: string; readonly before: string },
): Promise<Sum[]> {
  return db
    .query<{ subject: string; name: string; value: string }>(
      `select subject, number.key as name, sum(number.value::numeric)::text as value
       ${fromSubjects(IN_RANGE)}
       cross join lateral jsonb_each_text(numbers) as number
       group by subject, number.key`,
      [projectId, subjects, range.from, range.before],
    )
    .then((rows) => rows.map((row) => ({ ...row, value: BigInt(row.value) })));
}

/** Those of days, from one to before another, which may differ by subject. */
export function listRanges(
  db: Queryable,
  projectId: string,
  ranges: readonly { readonly subject: string; readonly from: string; readonly before: string }[],
): Promise<Figure[]> {
  return query(
    db,
    `select ${FIGURES} from unnest($2::text[], $3::text[], $4::text[])
       as asked (asked_subject, asked_from, asked_before)
     cross join lateral (select * from figures f
       where f.project_id = $1 and f.subject = asked_subject
         and f.part >= asked_from and f.part < asked_before offset 0) as found`,
    [
      projectId,
      ranges.map(({ subject }) => subject),
      ranges.map(({ from }) => from),
      ranges.map(({ before }) => before),
    ],
  );
}

/** The highest of these parts, in descending order; ties by which came first. */
export function listTop(
  db: Queryable,
  projectId: string,
  parts: readonly string[],
  limit: number,
): Promise<{ subject: string; part: string; referred: bigint }[]> {
  return db.query(
    `select subject, part, referred from unnest($2::text[]) as asked (asked_part)
     cross join lateral (select subject, part, referred from figures f
       where f.project_id = $1 and f.part = asked_part and f.referred > 0
       order by f.referred desc, f.subject limit $3) as top
     order by referred desc, subject limit $3`,
    [projectId, parts, limit],
  );
}

const ADD_REFERRED =
  'referred = coalesce(figures.referred + coalesce(excluded.referred, 0), excluded.referred)';

/**
 * Adds to what there is. The subquery takes half the time of the function, but Citus refuses it in a statement
 * for one shard.
 */
export const addToFigures = insertRows<FigureRow>(
  'figures',
  {
    subject: text((row) => row.subject),
    part: text((row) => row.part),
    numbers: jsonbText((row) => JSON.stringify(row.numbers)),
    referred: bigint((row) => row.referred),
  },
  `on conflict (project_id, subject, part) do update set
     numbers = figures.numbers || coalesce((
       select jsonb_object_agg(key, (coalesce(figures.numbers->>key, '0')::numeric + value::numeric)::text)
       from jsonb_each_text(excluded.numbers)), '{}'),
     ${ADD_REFERRED}`,
  `${ADD_NUMBERS}, ${ADD_REFERRED}`,
);
