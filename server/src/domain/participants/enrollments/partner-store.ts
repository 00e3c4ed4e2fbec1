import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/** A Partner's participant in one Project. */
export interface PartnerParticipant {
  readonly projectId: string;
  readonly participantId: string;
}

/** Without erased participants. */
export function listPartnerParticipants(
  db: Queryable,
  projectIds: readonly string[],
  partnerId: string,
): Promise<PartnerParticipant[]> {
  return db.query<PartnerParticipant>(
    `select p.project_id as "projectId", p.id as "participantId"
     from unnest($1::text[]) as asked (asked_project)
     cross join lateral (select * from participants r
       where r.project_id = asked_project and r.partner_id = $2 offset 0) as p
     where p.deleted_at is null order by p.project_id`,
    [projectIds, partnerId],
  );
}

/** A participant who is already suspended keeps the original time. */
export function updateSuspended(
  tx: Tx,
  { projectId, participantId }: PartnerParticipant,
  now: Instant,
  isSuspended: boolean,
): void {
  tx.send(
    `update participants set suspended_at = $4, updated_at = $3
     where project_id = $1 and id = $2 and (suspended_at is null) = ($4::timestamptz is not null)`,
    [projectId, participantId, now, isSuspended ? now : null],
  );
}
