import type { ApiKey } from '../../../accounts/workspaces/schema.ts';
import type { Get } from './check-projects.ts';

interface Page<R> {
  readonly data: readonly R[];
  readonly nextCursor: string | null;
}

/** The ids of all projects there are. */
export const listProjects = (get: Get): Promise<string[]> => listIds(get, '/v1/projects');

/** The keys of all workspaces. */
export async function listKeys(get: Get): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (const workspaceId of await listIds(get, '/v1/workspaces')) {
    keys.push(...(await listAll<ApiKey>(get, '/v1/api-keys', { workspaceId })));
  }
  return keys;
}

async function listIds(get: Get, path: string): Promise<string[]> {
  const rows = await listAll<{ id: string }>(get, path, {});
  return rows.map(({ id }) => id);
}

async function listAll<R>(get: Get, path: string, query: Record<string, string>): Promise<R[]> {
  const rows: R[] = [];
  let next: Record<string, string> = {};
  while (true) {
    const page = await get<Page<R>>(path, { ...query, limit: '100', ...next });
    rows.push(...page.data);
    if (page.nextCursor === null) return rows;
    next = { cursor: page.nextCursor };
  }
}
