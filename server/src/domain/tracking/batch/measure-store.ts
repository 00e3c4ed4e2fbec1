import type { ConfigTx } from '../../../platform/feed/writer/project-write.ts';
import { DAYS_OF_PROGRAM } from './measure-queries.ts';

/** Adds a Program's measures of days from a day on, if it has none yet. */
export function insertDays(tx: ConfigTx, projectId: string, programId: string, from: string): void {
  tx.send(
    `insert into figures (project_id, subject, part, numbers)
     select project_id, subject, part, jsonb_object_agg(name, value::text)
     from (select project_id, subject, part, name, sum(value) as value
       from (${DAYS_OF_PROGRAM}) as m
       group by project_id, subject, part, name) as d
     where value <> 0 group by project_id, subject, part`,
    [projectId, programId, from],
  );
}

/** Facts are counted by day from then on. The first day stays. */
export function updateDaysFrom(
  tx: ConfigTx,
  projectId: string,
  programId: string,
  from: string,
): void {
  tx.send(
    `update programs set days_from = $3
     where project_id = $1 and id = $2 and days_from is null`,
    [projectId, programId, from],
  );
}
