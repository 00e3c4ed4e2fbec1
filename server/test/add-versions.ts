import type { Database } from '../src/platform/db/database.ts';
import type { TestProject } from './new-project.ts';

/** Adds versions to the one row that a Project has in a table, up to this one. */
export async function addVersions(
  database: Database,
  { projectId }: TestProject,
  table: 'attribution_policies' | 'risk_policies' | 'reward_terms',
  upTo: number,
): Promise<void> {
  await database.reads.query(
    `insert into ${table}
     select (jsonb_populate_record(one, jsonb_build_object('id', one.id || n, 'version', n))).*
     from ${table} as one cross join generate_series(one.version + 1, $2::integer) as n
     where one.project_id = $1`,
    [projectId, upTo],
  );
}
