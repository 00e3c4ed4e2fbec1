import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { listValues, sendWrite } from '../../platform/db/statements.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { leastIdAt } from '../../platform/kit/ids.ts';
import { HOUR_MS, type Instant, toMs } from '../../platform/kit/instant.ts';
import type { AuditEntry } from './schema.ts';

export interface AuditNote {
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  /** What changed, without secrets and without personal data. */
  readonly changes: Record<string, unknown>;
  /** The object as it was. Only the previous values of what `changes` names are recorded. */
  readonly before?: object;
}

export function insertAuditEntry(
  tx: Tx,
  { id, at }: { readonly id: string; readonly at: Instant },
  request: WriteRequest,
  note: AuditNote,
): void {
  tx.send(
    `insert into audit_entries (project_id, id, workspace_id, at, actor_type, actor_id, action,
       target_type, target_id, request_id, ip, changes, before, agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13::jsonb, $14)`,
    [
      request.projectId,
      id,
      request.workspaceId,
      at,
      request.actor.type,
      request.actor.id,
      note.action,
      note.targetType,
      note.targetId,
      request.requestId,
      request.ip,
      JSON.stringify(note.changes),
      note.before ? JSON.stringify(previousValues(note.changes, note.before)) : null,
      request.actor.agent ?? null,
    ],
  );
}

function previousValues(changes: AuditNote['changes'], before: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => changes[name] !== undefined));
}

/** Null means any; the times are inclusive. */
export interface AuditFilter {
  readonly targetId: string | null;
  readonly actorId: string | null;
  readonly action: string | null;
  readonly projectId: string | null;
  readonly targetType: string | null;
  readonly actorType: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
}

const AUDIT_COLUMNS = {
  targetId: 'target_id',
  actorId: 'actor_id',
  action: 'action',
  projectId: 'project_id',
  targetType: 'target_type',
  actorType: 'actor_type',
} as const;

/** Filters with an index that holds the entries in the list's order; the first given one is used. */
const AUDIT_INDEXED: readonly string[] = ['targetId', 'actorId', 'action', 'projectId'];

/** Ids contain their time of creation, by the clock of their process. */
const CLOCKS_APART_MS = HOUR_MS;

export function listAuditEntries(
  db: Queryable,
  workspaceId: string,
  filter: AuditFilter,
  page: CursorPage,
): Promise<AuditEntry[]> {
  const params: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const conditions = ['workspace_id = $1'];
  let order = '';
  for (const [field, column] of Object.entries(AUDIT_COLUMNS)) {
    const value = filter[field as keyof typeof AUDIT_COLUMNS];
    if (value === null) continue;
    const asked = bind(value);
    if (order === '' && AUDIT_INDEXED.includes(field)) {
      // With an equality the planner may scan all entries of the Workspace instead.
      conditions.push(`${column} >= ${asked} and ${column} <= ${asked}`);
      order = `${column} desc, `;
    } else {
      conditions.push(`${column} = ${asked}`);
    }
  }
  const idAt = (at: Instant, ms: number) => bind(leastIdAt('aud', toMs(at) + ms));
  if (filter.from !== null) {
    conditions.push(`at >= ${bind(filter.from)} and id >= ${idAt(filter.from, -CLOCKS_APART_MS)}`);
  }
  if (filter.to !== null) {
    conditions.push(`at <= ${bind(filter.to)} and id < ${idAt(filter.to, CLOCKS_APART_MS)}`);
  }
  if (page.beforeId !== null) conditions.push(`id < ${bind(page.beforeId)}`);
  return db.query<AuditEntry>(
    `select id, at, workspace_id as "workspaceId", nullif(project_id, '') as "projectId",
       actor_type as "actorType", actor_id as "actorId", action, target_type as "targetType",
       target_id as "targetId", request_id as "requestId", ip, changes, before, agent
     from audit_entries where ${conditions.join(' and ')}
     order by ${order}id desc limit ${bind(page.limit + 1)}`,
    params,
  );
}

export const listProjectsWithOldAudit = listValues<string, [before: Instant]>(
  'select distinct project_id as "projectId" from audit_entries where at < $1',
);

export async function deleteOldAuditEntries(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from audit_entries where project_id = $1 and id in
       (select id from audit_entries where project_id = $1 and at < $2 limit $3)
     returning 1`,
    [projectId, before, limit],
  );
  return rows.length;
}

export const clearAuditReasons = sendWrite<
  [projectId: string, workspaceId: string, targetId: string]
>(`update audit_entries set changes = changes - 'reason'
     where project_id = $1 and workspace_id = $2 and target_id = $3
       and changes->>'reason' is not null`);
