import type { Queryable } from '../../../platform/db/driver.ts';
import { listRows } from '../../../platform/db/statements.ts';
import type { ParticipantRef } from '../../participants/schema.ts';

/** A group and its creator. */
export interface Creation {
  readonly participantId: string;
  readonly creatorId: string;
}

/** A group signs up once, so it has at most one creator. `p` has the id of the group. */
const CREATION = `cross join lateral (select r.participant_id, r.event_id from signups r
    where r.project_id = $1 and r.participant_id = p.id offset 0) as s
  cross join lateral (select r.actor_participant_id as creator_id from events r
    where r.project_id = $1 and r.id = s.event_id and r.actor_participant_id is not null
    offset 0) as c`;

const SELECTED = `s.participant_id as "participantId", c.creator_id as "creatorId"`;

/** The creators of these groups. */
export const listCreators = listRows<
  Creation,
  [projectId: string, participantIds: readonly string[]]
>(`select ${SELECTED} from unnest($2::text[]) as p (id) ${CREATION}`);

export function listCreatorsByRef(
  db: Queryable,
  projectId: string,
  refs: readonly ParticipantRef[],
): Promise<Creation[]> {
  return db.query(
    `select ${SELECTED} from unnest($2::text[], $3::text[]) as named (named_kind, named_id)
     cross join lateral (select r.id from participants r
       where r.project_id = $1 and r.kind = named_kind and r.external_id = named_id offset 0) as p
     ${CREATION}`,
    [projectId, refs.map((ref) => ref.kind), refs.map((ref) => ref.externalId)],
  );
}

/** The people whose referrals a waiting purchase may count for. */
export interface WaitingParties {
  readonly participantId: string;
  readonly actorId: string | null;
  readonly creatorId: string | null;
}

/**
 * The parties of waiting purchases that new facts about these people may decide: as buyer, actor or
 * creator of the group.
 */
export function listWaitingParties(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<WaitingParties[]> {
  const waiting = (condition: string) =>
    `(select r.participant_id, r.actor_participant_id from events r
      where r.project_id = $1 and ${condition} and r.processing_state = 'pending' offset 0)`;
  return db.query(
    `select distinct w.participant_id as "participantId", w.actor_participant_id as "actorId",
       made.creator_id as "creatorId"
     from unnest($2::text[]) as p (id)
     cross join lateral (
       ${waiting('r.participant_id = p.id')}
       union all
       ${waiting('r.actor_participant_id = p.id and r.actor_participant_id is not null')}
       union all
       select theirs.* from (select r.participant_id as group_id from events r
         where r.project_id = $1 and r.actor_participant_id = p.id
           and r.actor_participant_id is not null and r.type = 'signup' offset 0) as created
       cross join lateral ${waiting('r.participant_id = created.group_id')} as theirs
     ) as w
     left join lateral (select c.creator_id from (select w.participant_id as id) as p ${CREATION}
     ) as made on true`,
    [projectId, participantIds],
  );
}
