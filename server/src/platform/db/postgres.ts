import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { toArrayLiteral } from './array-literal.ts';
import { isSqlState, sqlState } from './database.ts';
import {
  CommitUnknownError,
  type Driver,
  type PoolState,
  type Row,
  type Session,
} from './driver.ts';
import { PlanAge, valueParsers, WRITE_PLANS } from './engine-common.ts';
import { openListener } from './postgres-listener.ts';

/** A stalled writer must not freeze a Project for longer than this. */
const STALL_MS = 5_000;
const CONNECT_MS = 10_000;

export interface PostgresOptions {
  readonly connectionString: string;
  /** Connections for transactions, and the same number for reads. */
  readonly poolSize: number;
  /** Reports an idle connection that broke; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

const statementNames = new Map<string, string>();

/**
 * Statements are constants of the program, so each text is prepared once per connection. Its name is a hash of the text: on
 * a connection that a pooler gave to another process before, a name must never mean another statement.
 */
function prepared(text: string, params: readonly unknown[]): pg.QueryConfig {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    statementNames.set(text, name);
  }
  const values = params.map((one) => (isPlainArray(one) ? toArrayLiteral(one) : one));
  return { name, text, values };
}

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    valueParsers.get(oid) ??
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

export function openPostgres(options: PostgresOptions): Driver {
  const base: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: options.connectionString,
    max: options.poolSize,
    types,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
  };
  const writes = new pg.Pool({
    ...base,
    application_name: 'goodword-write',
    ...withSettings([
      ...WRITE_PLANS,
      'statement_timeout=0',
      `lock_timeout=${STALL_MS}`,
      `idle_in_transaction_session_timeout=${STALL_MS}`,
    ]),
  });
  const reads = new pg.Pool({
    ...base,
    application_name: 'goodword-read',
    ...withSettings([
      'statement_timeout=30000',
      // For Citus, and without effect elsewhere: what asks every shard asks those of a node one after the other, on
      // a connection that it has, instead of opening several that it needs once.
      'citus.max_adaptive_executor_pool_size=1',
    ]),
  });
  const plans = new PlanAge();
  const distribution = new KnownDistribution((text) => reads.query(text));
  const connect = async () => {
    if (!distribution.isKnown) await distribution.ask();
    return { client: await writes.connect(), isDistributed: distribution.isDistributed };
  };
  for (const pool of [writes, reads]) {
    pool.on('error', options.onIdleError);
    // A server that is shutting down may report it together with its greeting, before the caller
    // can listen: that must not end the process. Its settings fail then.
    pool.on('connect', (client) => client.on('error', () => undefined));
  }
  return {
    kind: 'postgres',
    isDistributed: () => distribution.isDistributed,
    query: async <R = Row>(text: string, params: readonly unknown[] = []) => {
      if (!distribution.isKnown) await distribution.ask();
      return (await reads.query(prepared(text, params))).rows as R[];
    },
    begin: (facts = 1) =>
      new PostgresSession(connect(), (connection) => plans.isOutdated(connection, facts)),
    listen: (channel, onMessage) =>
      openListener(
        { ...base, application_name: 'goodword-listen' },
        channel,
        onMessage,
        options.onIdleError,
      ),
    pools: () => [describePool('read', reads), describePool('write', writes)],
    close: async () => {
      await Promise.all([writes.end(), reads.end()]);
    },
  };
}

function describePool(pool: PoolState['pool'], connections: pg.Pool): PoolState {
  const { totalCount, idleCount, waitingCount } = connections;
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/**
 * Settings of a connection, made once it is open: poolers refuse or drop those that are made by opening it. Options in
 * the address do not replace them.
 */
function withSettings(settings: readonly string[]): pg.PoolConfig {
  const all = ['timezone=UTC', 'default_transaction_isolation="read committed"', ...settings];
  const text = all.map((setting) => `set ${setting}`).join('; ');
  // A pooler welcomes a client also while it has no connection for it.
  const query = { text, query_timeout: CONNECT_MS } as pg.QueryConfig;
  return {
    onConnect: async (client) => {
      try {
        await client.query(query);
      } catch (cause) {
        if (sqlState(cause) !== undefined) throw cause;
        throw new Error('connection error: its settings could not be made', { cause });
      }
    },
  };
}

const CITUS = `select to_regclass('pg_catalog.pg_dist_partition') is not null as exists`;
const DISTRIBUTED = `select 1 from pg_dist_partition where logicalrelid = to_regclass('project_heads')`;
/** How often a server with Citus is asked whether the store is distributed by now. */
const ASK_MS = 1_000;

/** Whether Citus has distributed the store. Without Citus, one question is enough; once distributed, it stays so. */
class KnownDistribution {
  isDistributed = false;
  #isFinal = false;
  #askedMs = Number.NEGATIVE_INFINITY;
  readonly #query: (text: string) => Promise<pg.QueryResult>;

  constructor(query: (text: string) => Promise<pg.QueryResult>) {
    this.#query = query;
  }

  get isKnown(): boolean {
    return this.#isFinal || performance.now() - this.#askedMs < ASK_MS;
  }

  async ask(): Promise<void> {
    const hasCitus = (await this.#query(CITUS)).rows[0]?.exists === true;
    this.isDistributed = hasCitus && (await this.#query(DISTRIBUTED)).rows.length > 0;
    this.#isFinal = !hasCitus || this.isDistributed;
    this.#askedMs = performance.now();
  }
}

/** Citus finds the shard of most statements only with their values. */
const PLAN_EACH = 'set plan_cache_mode = auto';
const plannedEach = new WeakSet<pg.PoolClient>();

/**
 * Sends what is written to a connection from now until all due promises are done in one piece. Each piece is a system
 * call, and wakes the server: for a transaction with one fact, pieces of one statement took a third of the time.
 */
function writeTogether(client: pg.PoolClient): pg.PoolClient {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return client;
}

/**
 * BEGIN and the following statements are sent without waiting for responses, so that a short
 * transaction costs few round trips. A failing statement aborts the transaction on the server;
 * later ones then also fail, and the response to COMMIT is `ROLLBACK`.
 */
class PostgresSession implements Session {
  readonly #client: Promise<pg.PoolClient>;
  #isDistributed = false;
  #broken: Error | undefined;
  readonly #onBreak = (error: Error) => {
    this.#broken ??= error;
  };

  constructor(
    client: Promise<{ readonly client: pg.PoolClient; readonly isDistributed: boolean }>,
    hasOldPlans: (client: pg.PoolClient) => boolean,
  ) {
    this.#client = client.then(({ client: connected, isDistributed }) => {
      connected.on('error', this.#onBreak);
      this.#isDistributed = isDistributed;
      writeTogether(connected);
      if (isDistributed && !plannedEach.has(connected)) {
        connected.query(PLAN_EACH).catch(this.#onBreak);
        plannedEach.add(connected);
      }
      if (hasOldPlans(connected)) connected.query('discard plans').catch(this.#onBreak);
      connected.query('begin').catch(this.#onBreak);
      return connected;
    });
    this.#client.catch(this.#onBreak);
  }

  async query<R = Row>(text: string, params: readonly unknown[] = []): Promise<R[]> {
    const client = writeTogether(await this.#client);
    return (await client.query(prepared(text, params))).rows as R[];
  }

  async script(text: string): Promise<void> {
    await (await this.#client).query(text);
  }

  async commit(): Promise<void> {
    const client = await this.#client;
    if (this.#broken) throw await this.#discard(client, this.#broken);
    let command: string;
    try {
      command = (await writeTogether(client).query('commit')).command;
    } catch (error) {
      const cause = error as Error & { code?: string };
      await this.#discard(client, cause);
      // An SQLSTATE means that the server itself refused; without one the connection broke.
      const isRefused = isSqlState(cause.code) && !(this.#isDistributed && isOfNode(cause.code));
      if (isRefused) throw cause;
      throw new CommitUnknownError('The connection broke while committing.', { cause });
    }
    this.#release(client);
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.');
  }

  async rollback(): Promise<void> {
    const client = await this.#client.catch(() => undefined);
    if (!client) return;
    if (this.#broken) {
      await this.#discard(client, this.#broken);
      return;
    }
    await client.query('rollback').then(
      () => this.#release(client),
      (error: Error) => this.#discard(client, error),
    );
  }

  #release(client: pg.PoolClient): void {
    client.off('error', this.#onBreak);
    client.release();
  }

  async #discard(client: pg.PoolClient, error: Error): Promise<Error> {
    client.release(true);
    return error;
  }
}

/** By these a coordinator also reports that it lost the node while that was committing. */
function isOfNode(code = ''): boolean {
  return code === 'XX000' || code.startsWith('08');
}

/** Whether all elements can be written like this: no arrays, dates or objects. */
function isPlainArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object');
}
