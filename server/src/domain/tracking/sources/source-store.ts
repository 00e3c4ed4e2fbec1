import type { Queryable } from '../../../platform/db/driver.ts';
import type { ConfigTx } from '../../../platform/feed/writer/project-write.ts';
import type { Source } from '../schema.ts';

const SOURCE = `id, project_id as "projectId", name, key, kind, enabled,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** All of them, because a Project has few. Oldest first. */
export function listSources(db: Queryable, projectId: string): Promise<Source[]> {
  return db.query<Source>(
    `select ${SOURCE} from sources where project_id = $1 order by created_at, id`,
    [projectId],
  );
}

export function insertSource(tx: ConfigTx, source: Source): void {
  tx.send(
    `insert into sources (project_id, id, key, name, kind, enabled, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      source.projectId,
      source.id,
      source.key,
      source.name,
      source.kind,
      source.enabled,
      source.createdAt,
      source.updatedAt,
    ],
  );
}

export function updateSource(tx: ConfigTx, source: Source): void {
  tx.send(
    `update sources set name = $3, enabled = $4, updated_at = $5
     where project_id = $1 and id = $2`,
    [source.projectId, source.id, source.name, source.enabled, source.updatedAt],
  );
}
