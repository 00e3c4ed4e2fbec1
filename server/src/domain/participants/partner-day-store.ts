import type { Tx } from '../../platform/db/database.ts';
import { sendWrite } from '../../platform/db/statements.ts';
import { ADD_NUMBERS, type FigureRow } from '../../platform/figures/figure-row.ts';
import { ownerOfDays } from './partner-days.ts';

/** Adds to the days of those who are Partners and were not erased; the others are looked up and left out. */
export function addToPartnerDays(tx: Tx, projectId: string, rows: readonly FigureRow[]): void {
  tx.send(
    `insert into figures (project_id, subject, part, numbers)
     select p.project_id, r.subject, r.part, r.numbers::jsonb
     from unnest($2::text[], $3::text[], $4::text[], $5::text[])
       as r (participant_id, subject, part, numbers)
     cross join lateral (select * from participants q
       where q.project_id = $1 and q.id = r.participant_id offset 0) as p
     where p.partner_id is not null and p.deleted_at is null
     ${ADD_NUMBERS}`,
    [
      projectId,
      rows.map(({ subject }) => ownerOfDays(subject)),
      rows.map(({ subject }) => subject),
      rows.map(({ part }) => part),
      rows.map(({ numbers }) => JSON.stringify(numbers)),
    ],
  );
}

/** In every Program of the Project. */
export const deletePartnerDays = sendWrite<
  [projectId: string, participantId: string]
>(`delete from figures f
     using (select g.project_id, $2::text || ':' || g.id as subject from programs g
       where g.project_id = $1 offset 0) as d
     where f.project_id = $1 and f.project_id = d.project_id and f.subject = d.subject`);
