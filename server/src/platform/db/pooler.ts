import pg from 'pg';

/** Why a database cannot be used behind such a pooler, and what to do. */
export const SHARED_CONNECTIONS =
  'A connection pooler in transaction mode is between Goodword and PostgreSQL';
export const USE_SESSIONS = 'Use its session mode, or connect to PostgreSQL directly.';

const MARK = 'goodword.mark';
const LIMIT_MS = 10_000;

/**
 * Whether connections keep nothing of their own, because a pooler in transaction mode gives each transaction any of
 * its connections: settings, prepared statements and LISTEN get lost there, or reach somebody else.
 */
export async function sharesConnections(connectionString: string): Promise<boolean> {
  const limits = { connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS };
  const clients = [1, 2].map(() => new pg.Client({ connectionString, ...limits }));
  try {
    for (const [index, client] of clients.entries()) {
      client.on('error', () => undefined);
      await client.connect();
      await client.query(`set ${MARK} = '${index}'`);
    }
    for (const [index, client] of clients.entries()) {
      const { rows } = await client.query(`select current_setting('${MARK}', true) as mark`);
      if (rows[0].mark !== String(index)) return true;
    }
    return false;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
