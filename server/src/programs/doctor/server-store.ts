import type { Queryable } from '../../platform/db/driver.ts';

interface ServerState {
  readonly version: number;
  readonly versionName: string;
  readonly nowMs: number;
  readonly settings: ReadonlyMap<string, string>;
}

const NAMES = [
  'server_version_num',
  'server_version',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
];

/** The state that a PostgreSQL server reports. */
export async function findServerState(reads: Queryable): Promise<ServerState> {
  const [clock] = await reads.query<{ now: string }>('select clock_timestamp() as now');
  const nowMs = Date.parse(clock?.now ?? '');
  const rows = await reads.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [NAMES],
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  return {
    version: Number(settings.get('server_version_num')),
    versionName: settings.get('server_version') ?? '?',
    nowMs,
    settings,
  };
}
