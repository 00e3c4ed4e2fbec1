import type { Tx } from '../../../platform/db/database.ts';
import { findRow, listValues, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramDefinition } from '../definition/definition-schema.ts';
import type { PlanChange } from './plan-schema.ts';

export interface PlanRow {
  readonly id: string;
  readonly projectId: string;
  readonly programId: string | null;
  readonly programKey: string;
  readonly definition: ProgramDefinition;
  readonly prune: boolean;
  readonly digest: string;
  readonly baseDigest: string;
  readonly changes: readonly PlanChange[];
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly expiresAt: Instant;
  readonly appliedAt: Instant | null;
  readonly appliedBy: string | null;
}

export function insertPlan(tx: Tx, plan: PlanRow): void {
  tx.send(
    `insert into program_plans (project_id, id, program_id, program_key, definition, prune, digest,
       base_digest, changes, created_at, created_by, expires_at)
     values ($1, $2, $3, $4, $5::json, $6, $7, $8, $9::json, $10, $11, $12)`,
    [
      plan.projectId,
      plan.id,
      plan.programId,
      plan.programKey,
      JSON.stringify(plan.definition),
      plan.prune,
      plan.digest,
      plan.baseDigest,
      JSON.stringify(plan.changes),
      plan.createdAt,
      plan.createdBy,
      plan.expiresAt,
    ],
  );
}

export const findPlan = findRow<PlanRow, [projectId: string, planId: string]>(
  `select id, project_id as "projectId", program_id as "programId", program_key as "programKey",
       definition, prune, digest, base_digest as "baseDigest", changes, created_at as "createdAt",
       created_by as "createdBy", expires_at as "expiresAt", applied_at as "appliedAt",
       applied_by as "appliedBy"
     from program_plans where project_id = $1 and id = $2`,
);

export const markApplied = sendWrite<
  [projectId: string, planId: string, programId: string, at: Instant, by: string]
>(`update program_plans set program_id = $3, applied_at = $4, applied_by = $5
     where project_id = $1 and id = $2`);

export const listProjectsWithPlans = listValues<string, [before: Instant]>(
  'select distinct project_id as "projectId" from program_plans where created_at < $1',
);

export async function deletePlans(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from program_plans where project_id = $1 and id in
       (select id from program_plans where project_id = $1 and created_at < $2 limit $3)
     returning id`,
    [projectId, before, limit],
  );
  return rows.length;
}
