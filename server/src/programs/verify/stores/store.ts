import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { AuditedHead } from '../checks/check-context.ts';

/** Includes projects that have only a head, or lack one: either is a finding. */
export async function listProjectIds(
  db: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from (select id from projects union select project_id from project_heads) as known
     where id > $1 order by id limit $2`,
    [after, limit],
  );
  return rows.map((row) => row.id);
}

export async function countProjects(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    `select count(*) as count
     from (select id from projects union select project_id from project_heads) as known`,
  );
  return Number(row?.count ?? 0n);
}

export interface ProjectParts {
  readonly hasProject: boolean;
  readonly head: AuditedHead | null;
}

export async function findProjectParts(tx: Tx, projectId: string): Promise<ProjectParts> {
  const [projects, heads] = await Promise.all([
    tx.query('select 1 from projects where id = $1', [projectId]),
    tx.query<{ feedPosition: bigint; lastAt: Instant; numbers: Record<string, number> }>(
      `select feed_position as "feedPosition", last_at as "lastAt", numbers
       from project_heads where project_id = $1`,
      [projectId],
    ),
  ]);
  const [head] = heads;
  return {
    hasProject: projects.length > 0,
    head: head ? { ...head, feedPosition: Number(head.feedPosition) } : null,
  };
}
