import type { Client } from '../calls/client.ts';
import type { ApiKey } from './check-key.ts';

type Lists = Pick<Client, 'pages'>;

/** The ids of all projects. */
export const listProjects = (client: Lists): Promise<string[]> =>
  listIds(client, 'GET /v1/projects');

/** The keys of all workspaces. */
export async function listKeys(client: Lists): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (const workspaceId of await listIds(client, 'GET /v1/workspaces')) {
    keys.push(...(await listAll<ApiKey>(client, 'GET /v1/api-keys', { workspaceId })));
  }
  return keys;
}

async function listIds(client: Lists, operation: string): Promise<string[]> {
  const rows = await listAll<{ id: string }>(client, operation, {});
  return rows.map(({ id }) => id);
}

async function listAll<R>(
  client: Lists,
  operation: string,
  query: Record<string, string>,
): Promise<R[]> {
  const all: R[] = [];
  const request = { operation, query, takesKey: false };
  for await (const { rows } of client.pages(request, { pageMax: 100 })) all.push(...(rows as R[]));
  return all;
}
