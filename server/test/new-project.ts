import { randomBytes } from 'node:crypto';
import { hashApiKey, makeApiKey } from '../src/accounts/workspaces/api-keys/identities.ts';
import { insertApiKey, insertProject, insertWorkspace } from '../src/accounts/workspaces/store.ts';
import type { Database, Tx } from '../src/platform/db/database.ts';
import { PROJECT_TABLES } from '../src/platform/db/tables.ts';
import { openFeed } from '../src/platform/feed/queries.ts';
import { PERMISSION_PRESETS } from '../src/platform/http/access/permissions.ts';
import type { Environment } from '../src/platform/http/access/principal.ts';
import type { NewId } from '../src/platform/kit/ids.ts';
import { type Instant, toInstant } from '../src/platform/kit/instant.ts';

export interface TestProject {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly projectKey: string;
  readonly key: string;
}

interface ProjectDeps {
  readonly database: Database;
  readonly clock: { nowMs(): number };
  readonly newId: NewId;
}

/** A Workspace with one Project and a key that may do all. Over HTTP this would be three calls. */
export async function newProject(
  { database, clock, newId }: ProjectDeps,
  environment: Environment = 'sandbox',
): Promise<TestProject> {
  const now = toInstant(clock.nowMs());
  return database.transaction(async (tx) => {
    const project = await insertProjectIn(tx, { now, newId, environment });
    await openFeed(tx, project.projectId, now);
    return project;
  });
}

async function insertProjectIn(
  tx: Tx,
  { now, newId, environment }: { now: Instant; newId: NewId; environment: Environment },
): Promise<TestProject> {
  const project: TestProject = {
    workspaceId: newId('ws'),
    projectId: newId('prj'),
    projectKey: randomBytes(5).toString('hex').replace(/[01]/g, 'z'),
    key: makeApiKey(environment),
  };
  const { workspaceId, key } = project;
  const times = { createdAt: now, updatedAt: now };
  await insertWorkspace(tx, { id: workspaceId, name: 'Acme', ...times });
  await insertProject(tx, {
    id: project.projectId,
    projectKey: project.projectKey,
    workspaceId,
    name: 'Shop',
    environment,
    allowedOrigins: [],
    ...times,
  });
  const apiKey = {
    id: newId('key'),
    workspaceId,
    environment,
    name: 'Test',
    permissions: [...PERMISSION_PRESETS.full],
    prefix: key.slice(0, `gw_${environment}_`.length + 4),
    last4: key.slice(-4),
    expiresAt: null,
    revokedAt: null,
    ...times,
  };
  await insertApiKey(tx, apiKey, hashApiKey(key));
  return project;
}

/** The statements that copy what a Project has in its tables. */
const copies = new WeakMap<TestProject, string[]>();

/**
 * A Project of a new Workspace with all that this one has, ids and all. To set a Project up takes some
 * ten calls: a file does so once, and each of its tests gets a copy. It must not be changed between.
 */
export async function copyProject(
  { database, clock, newId }: ProjectDeps,
  original: TestProject,
): Promise<TestProject> {
  const now = toInstant(clock.nowMs());
  return database.transaction(async (tx) => {
    const known = copies.get(original) ?? (await writeCopies(tx, original.projectId));
    copies.set(original, known);
    const project = await insertProjectIn(tx, { now, newId, environment: 'sandbox' });
    const ids = [original.projectId, project.projectId, original.workspaceId, project.workspaceId];
    // As one statement it takes a third of the time; on a cluster each goes to its shard.
    const statements = database.isDistributed() ? known : [mergeCopies(known)];
    for (const statement of statements) await tx.query(statement, ids);
    return project;
  });
}

interface Column {
  readonly name: string;
  readonly type: string;
}

async function writeCopies(tx: Tx, projectId: string): Promise<string[]> {
  const tables = await tx.query<{ name: string; columns: Column[] }>(
    `select c.relname as name,
       jsonb_agg(jsonb_build_object('name', a.attname, 'type', a.atttypid::regtype)) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname having 'project_id' = any(array_agg(a.attname))`,
  );
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]));
  const inserts: string[] = [];
  for (const name of PROJECT_TABLES) {
    const columns = columnsOf.get(name) ?? [];
    const [row] = await tx.query(`select 1 from ${name} where project_id = $1 limit 1`, [
      projectId,
    ]);
    if (!row) continue;
    const names = columns.map((column) => column.name);
    inserts.push(
      `insert into ${name} (${names})
        select ${columns.map(writeColumn)} from ${name} where project_id = $1`,
    );
  }
  return inserts;
}

function mergeCopies(inserts: readonly string[]): string {
  return `with ${inserts.map((insert, index) => `c${index} as (${insert})`).join(', ')} select`;
}

/** The Project and its Workspace are named in other places than their own columns. */
function writeColumn({ name, type }: Column): string {
  if (type !== 'text' && type !== 'jsonb') return name;
  return `replace(replace(${name}::text, $1, $2), $3, $4)::${type}`;
}
