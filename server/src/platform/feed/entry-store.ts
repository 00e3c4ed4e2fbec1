import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { positionOf } from './event-id.ts';
import type { FeedEntry, FeedEventType } from './writer/project-write.ts';

/** By event id; events that are not in the feed are omitted. An index finds the ids of earlier versions. */
export async function listPositions(
  db: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; position: bigint }>(
    `select e.id, e.position from unnest($2::text[], $3::bigint[]) as asked (id, position)
     cross join lateral (
       (select f.id, f.position from feed_events f
         where f.project_id = $1 and f.position = asked.position and f.id = asked.id)
       union all
       (select f.id, f.position from feed_events f
         where f.project_id = $1 and f.id = asked.id and f.id collate "C" < 'wev_4'
           and asked.position is null)
       offset 0) as e`,
    [projectId, eventIds, eventIds.map(positionOf)],
  );
  return new Map(rows.map(({ id, position }) => [id, Number(position)]));
}

/** Those after one position, up to and including another, in order. */
export async function listEntries(
  db: Queryable,
  projectId: string,
  after: number,
  upTo: number,
): Promise<FeedEntry[]> {
  const rows = await db.query<{ position: bigint; type: FeedEventType }>(
    `select position, type from feed_events
     where project_id = $1 and position > $2 and position <= $3 order by position`,
    [projectId, after, upTo],
  );
  return rows.map(({ position, type }) => ({ position: Number(position), type }));
}

/**
 * The last of the positions up to `upTo` whose event is earlier than a given time; 0 if there is
 * none. A binary search: positions have no gaps and a Project's time never runs backwards, so no
 * index of times is needed.
 */
export async function findLastBefore(
  db: Queryable,
  projectId: string,
  upTo: number,
  at: Instant,
): Promise<number> {
  const [found] = await db.query<{ position: bigint }>(
    `with recursive search (low, high) as (
       select 0::bigint, $2::bigint
       union all
       select case when probe.lies_before then probe.position else step.low end,
         case when probe.lies_before then step.high else probe.position - 1 end
       from search step
       join lateral (select f.position, f.occurred_at < $3::timestamptz as lies_before
         from feed_events f
         where f.project_id = $1 and f.position = (step.low + step.high + 1) / 2) probe on true
       where step.low < step.high)
     select low as position from search where low = high`,
    [projectId, upTo, at],
  );
  if (!found) throw new Error(`The feed of ${projectId} has a gap.`);
  return Number(found.position);
}
