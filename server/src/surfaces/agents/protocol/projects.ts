import { listNamedProjects } from '../../../accounts/workspaces/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { KeyPrincipal } from '../../../platform/http/access/principal.ts';
import { invalid } from '../../../platform/kit/errors.ts';

const PAGE = 100;

export interface Connection {
  readonly reads: Queryable;
  readonly key: KeyPrincipal;
  /** The Project in the address of the connection; null if there is none. */
  readonly projectId: string | null;
}

/** A page of the Projects that the key may act on; `nextAfter` continues it. */
export async function listProjectsOf(
  { reads, key }: Connection,
  after: string,
): Promise<{
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly nextAfter: string | null;
}> {
  const { workspaceId, environment } = key;
  const rows = await listNamedProjects(reads, workspaceId, environment, after, PAGE + 1);
  const data = rows.slice(0, PAGE);
  return { data, nextAfter: rows.length > PAGE ? (data.at(-1)?.id ?? null) : null };
}

/** The Project in the address of the connection, or the key's only one. */
export async function findUsualProject(connection: Connection): Promise<string | undefined> {
  if (connection.projectId !== null) return connection.projectId;
  const { data } = await listProjectsOf(connection, '');
  return data.length === 1 ? data[0]?.id : undefined;
}

/**
 * The Project of a call: the one that it names, or the usual one. Whether the key may act on it is
 * for the called route to check.
 */
export async function findProjectId(connection: Connection, named: unknown): Promise<string> {
  if (typeof named === 'string') return named;
  const usual = await findUsualProject(connection);
  if (usual === undefined) {
    throw invalid(
      'projectId',
      'is required: this key has no project, or several. Call list_projects',
    );
  }
  return usual;
}
