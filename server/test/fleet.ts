import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { openPostgres } from '../src/platform/db/postgres.ts';
import type { Method } from '../src/platform/http/routes/route.ts';
import { copyPostgres } from './database.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  type CallOptions,
  credential,
  ROOT_KEY,
  type TestProject,
} from './harness.ts';
import { type Env, type Program, startProgram } from './process.ts';

/** How long a caller goes on asking a service that is down. */
const PATIENCE_MS = 60_000;

/** Real processes of the built program on one PostgreSQL, whichever of them run at the moment. */
export class Fleet {
  /** For a look into the store beside the processes. */
  readonly database: Database;
  api: Program | undefined;
  /** Of the database. */
  readonly url: string;
  /** What callers ask, if not `api` itself. */
  front: string | undefined;
  readonly #env: Env;
  readonly #drop: () => Promise<void>;
  readonly #programs: Program[] = [];

  private constructor(url: string, drop: () => Promise<void>) {
    this.#drop = drop;
    this.url = url;
    this.#env = {
      DATABASE_URL: url,
      ADMIN_TOKEN,
      ROOT_KEY: ROOT_KEY.toString('base64'),
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    };
    this.database = createDatabase(
      openPostgres({ connectionString: url, poolSize: 2, onIdleError: () => undefined }),
    );
  }

  /** On a database of its own, or on the server at `url`, which is not dropped. */
  static async open(url?: string): Promise<Fleet> {
    if (url !== undefined) return new Fleet(url, () => Promise.resolve());
    const copy = await copyPostgres();
    return new Fleet(copy.url, copy.drop);
  }

  async startApi(role: 'api' | 'all' = 'api'): Promise<void> {
    this.api = await this.#start({ ROLE: role });
  }

  startWorker(env: Env = {}): Promise<Program> {
    return this.#start({ ROLE: 'worker', ...env });
  }

  /** One of several that serve, behind `front`. */
  startNode(env: Env): Promise<Program> {
    return this.#start({ ROLE: 'api', ...env });
  }

  async #start(env: Env): Promise<Program> {
    const program = await startProgram({ ...this.#env, ...env });
    this.#programs.push(program);
    return program;
  }

  /** Asks until there is an answer other than that the service is not available. */
  async call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const query = new URLSearchParams(options.query as Record<string, string>);
    const until = Date.now() + PATIENCE_MS;
    while (true) {
      try {
        const response = await fetch(`${this.front ?? this.api?.url}${path}?${query}`, {
          method,
          headers: { 'content-type': 'application/json', ...credential(options.as) },
          ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        });
        const { status, headers } = response;
        const body = await response.json();
        if (status !== 503) return { status, headers, body };
      } catch (error) {
        if (Date.now() > until) throw error;
      }
      await delay(50);
    }
  }

  async newProject(): Promise<TestProject> {
    const create = async (path: string, body: object) =>
      (await this.call('POST', path, { as: 'operator', body })).body;
    const workspaceId = (await create('/v1/workspaces', { name: 'Acme' })).data.id;
    const place = { workspaceId, environment: 'live', name: 'Shop' };
    const { id: projectId, projectKey } = (await create('/v1/projects', place)).data;
    const { key } = await create('/v1/api-keys', { ...place, permissions: 'full' });
    return { workspaceId, projectId, projectKey, key };
  }

  /** How many events are in the feed of a Project. */
  async published(projectId: string): Promise<number> {
    const [row] = await this.database.reads.query<{ count: number }>(
      'select count(*)::integer as count from feed_events where project_id = $1',
      [projectId],
    );
    return row?.count ?? 0;
  }

  /** How many deliveries are still to be sent, of all Projects or of one. */
  async queued(projectId?: string): Promise<number> {
    const rows = await this.database.reads.query(
      'select 1 from webhook_deliveries where project_id = coalesce($1, project_id)',
      [projectId ?? null],
    );
    return rows.length;
  }

  /** How many of them somebody is sending, or is dead who was. */
  async leased(): Promise<number> {
    const rows = await this.database.reads.query(
      'select 1 from webhook_deliveries where lease_id is not null',
    );
    return rows.length;
  }

  /** Ends every lease, once all who had one are dead. */
  endLeases(): Promise<unknown> {
    return this.database.transaction((tx) =>
      tx.query('update webhook_deliveries set leased_until = now() where lease_id is not null'),
    );
  }

  /** Has what waits for its time sent at once. */
  endWaits(projectId?: string): Promise<unknown> {
    return this.database.transaction((tx) =>
      tx.query(
        `update webhook_deliveries set due_at = now()
         where project_id = coalesce($1, project_id) and lease_id is null and due_at > now()`,
        [projectId ?? null],
      ),
    );
  }

  /** Waits until nothing is left to be sent, and while at that for retries only if told so. */
  async drain(
    options: { projectId?: string; waitsForRetries?: boolean; timeoutMs?: number } = {},
  ): Promise<void> {
    const { projectId, waitsForRetries = true, timeoutMs = 90_000 } = options;
    const until = Date.now() + timeoutMs;
    for (let left = 1; left > 0; left = await this.queued(projectId)) {
      if (Date.now() > until) throw new Error(`${left} deliveries wait.\n${await this.#tell()}`);
      if (!waitsForRetries) await this.endWaits(projectId);
      await delay(100);
    }
  }

  /** Gives up what is not sent. */
  async giveUp(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query('update webhook_endpoints set queue_id = null');
      await tx.query('delete from webhook_deliveries');
    });
  }

  async #tell(): Promise<string> {
    const rows = await this.database.reads.query(
      'select * from webhook_deliveries order by due_at limit 5',
    );
    const logs = this.#programs.map(({ output }) => output.stdout.slice(-2_000));
    return [JSON.stringify(rows), ...logs].join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.kill('SIGKILL')));
    await this.database.close();
    await this.#drop();
  }
}
