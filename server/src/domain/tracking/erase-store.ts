import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';

/** The columns of events that name a person: the participant, or the actor of a group. */
export type EventParty = 'participant_id' | 'actor_participant_id';

export interface EventPlace {
  readonly id: string;
  readonly number: number;
}

interface EventsBehind {
  readonly party: EventParty;
  readonly participantId: string;
  readonly after: number;
  readonly limit: number;
}

/** In order of their numbers, after a given one. */
export async function listEventsBehind(
  db: Queryable,
  projectId: string,
  { party, participantId, after, limit }: EventsBehind,
): Promise<EventPlace[]> {
  const rows = await db.query<{ id: string; number: bigint }>(
    `select id, number from events where project_id = $1 and ${party} = $2 and number > $3
     order by number limit $4`,
    [projectId, participantId, after, limit],
  );
  return rows.map(({ id, number }) => ({ id, number: Number(number) }));
}

/** Blanks everything in events about people except amounts, and hashes from which their names could be guessed. */
export function blankEvents(tx: Tx, projectId: string, ids: readonly string[]): void {
  tx.send(
    `with found as materialized (
       select e.* from unnest($2::text[]) as asked (id)
       cross join lateral (select source_namespace_id, source_event_id from events
         where project_id = $1 and events.id = asked.id offset 0) as e)
     update source_keys k set facts_hash = ''
     from (select $1::text as project_id, f.* from found f offset 0) as f
     where k.project_id = f.project_id and k.source_namespace_id = f.source_namespace_id
       and k.source_event_id = f.source_event_id`,
    [projectId, ids],
  );
  tx.send(
    `update events e set facts_hash = '',
       normalized_facts = json_build_object('purchase', normalized_facts->'purchase',
         'properties', '{}'::json)
     from (select $1::text as project_id, k.id from unnest($2::text[]) as k (id) offset 0) as k
     where e.project_id = k.project_id and e.id = k.id and e.facts_hash <> ''`,
    [projectId, ids],
  );
}

/** At most `limit` of those that are not blanked yet; returns how many. */
export async function blankSubscriptionFacts(
  tx: Tx,
  projectId: string,
  participantId: string,
  limit: number,
): Promise<number> {
  const rows = await tx.query<{ sourceNamespaceId: string; sourceEventId: string }>(
    `update subscription_facts f set facts_hash = '', plan_key = null
     from (select project_id, id from subscription_facts
       where project_id = $1 and participant_id = $2 and facts_hash <> '' limit $3) as k
     where f.project_id = k.project_id and f.id = k.id
     returning f.source_namespace_id as "sourceNamespaceId", f.source_event_id as "sourceEventId"`,
    [projectId, participantId, limit],
  );
  // The stored answer for a repeat of a subscription fact contains the fact, including its hash.
  tx.send(
    `update source_keys k set facts_hash = '', answer = '{}'
     from (select $1::text as project_id, f.* from unnest($2::text[], $3::text[])
       as f (source_namespace_id, source_event_id) offset 0) as f
     where k.project_id = f.project_id and k.source_namespace_id = f.source_namespace_id
       and k.source_event_id = f.source_event_id`,
    [
      projectId,
      rows.map(({ sourceNamespaceId }) => sourceNamespaceId),
      rows.map(({ sourceEventId }) => sourceEventId),
    ],
  );
  return rows.length;
}
