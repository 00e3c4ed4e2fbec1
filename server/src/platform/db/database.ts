import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { CommitUnknownError, type Driver, type Queryable, type Session } from './driver.ts';
import { writeFewAsRows } from './few-rows.ts';
import { canJoin, createMerger, type MergeWrites, type Statement } from './merge-writes.ts';

declare const insideTransaction: unique symbol;

/** Statements of one open transaction. Only `Database.transaction` creates one. */
export interface Tx extends Queryable {
  readonly [insideTransaction]: true;
  /** True if nothing can be written and no rows can be locked: a snapshot does not see other writes anyway. */
  readonly isSnapshot: boolean;
  /** As of its database. */
  readonly isDistributed: boolean;
  /** As of its options. */
  readonly isShort: boolean;
  /**
   * Sends a write whose rows are not needed, without waiting for it: together with the next awaited
   * statement or the commit, and merged into one statement with neighbouring writes that do not
   * involve its table. If it fails, the commit fails with its error.
   */
  send(text: string, params?: readonly unknown[]): void;
  /**
   * Only in a part of a shared transaction: sends a write whose parameters are lists, with an entry for
   * each row. It is joined with the same writes of other parts.
   */
  readonly sendLists?: (text: string, lists: readonly (readonly unknown[])[]) => void;
  /** Several statements in one text, for migrations. */
  script(text: string): Promise<void>;
}

export interface TransactionOptions {
  /** Called when everything is sent and only the commit's response is missing; resolves to whether it succeeded. */
  readonly onCommitting?: ((isCommitted: Promise<boolean>) => void) | undefined;
  /**
   * How many facts it writes. With one it writes one or two rows to most tables, and uses statements that are
   * optimized for that.
   */
  readonly facts?: number;
}

export interface Database {
  readonly kind: Driver['kind'];
  /** Whether the Projects are on several nodes: then a statement about all of them asks every shard. */
  isDistributed(): boolean;
  /** Statements outside any transaction; refused inside one if nesting is checked. */
  readonly reads: Queryable;
  transaction<T>(body: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** All statements of `body` see the same state; a write in it fails. */
  snapshot<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Throws inside a transaction of this database, if nesting is checked. */
  assertOutside(what: string): void;
  /** Undefined if no other process can have the database open. */
  readonly listen: Driver['listen'];
  /** Undefined if the store does not belong to this process. */
  readonly copyTo: Driver['copyTo'];
  /** Undefined if there are no connections. */
  readonly pools: Driver['pools'];
  close(): Promise<void>;
}

const ATTEMPTS = 3;
/** Serialization failure, deadlock, lock not available in time, server going away. */
const RETRIED_STATES = new Set(['40001', '40P01', '55P03', '57P01', '57P02', '57P03', '25P03']);
const RETRIED_SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Unlike the codes of Node's own socket errors, such as EPIPE. */
export function isSqlState(code: string | undefined): boolean {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE';
}

/** True for a failure of the database itself, unlike a wrong statement. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return true;
  const code = sqlState(error);
  if (code === undefined) {
    return (
      error instanceof Error &&
      /connection (error|terminated)|timeout exceeded/i.test(error.message)
    );
  }
  return (
    RETRIED_STATES.has(code) ||
    RETRIED_SOCKET_ERRORS.has(code) ||
    code.startsWith('08') ||
    code.startsWith('53')
  );
}

/** True if it waited too long for another transaction, or both for each other. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(sqlState(error) ?? '');
}

export interface DatabaseOptions {
  readonly watchesNesting?: boolean;
  /** Called for every transaction that is retried, with the error code. */
  readonly onRetry?: ((code: string) => void) | undefined;
}

/** The databases with running transactions. Only one such storage, because each slows every promise. */
const running = new AsyncLocalStorage<readonly Driver[]>();

function withDriver(driver: Driver): readonly Driver[] {
  return [...(running.getStore() ?? []), driver];
}

/**
 * With `watchesNesting`, a statement outside its transaction's `tx` is refused, because it would
 * hang or drain the pool. Tracking every promise for that costs a tenth of the service's own work:
 * the program omits it on PostgreSQL, where such a mistake only slows down.
 */
export function createDatabase(
  driver: Driver,
  { watchesNesting = true, onRetry }: DatabaseOptions = {},
): Database {
  const assertOutside = (what: string) => {
    if (watchesNesting && running.getStore()?.includes(driver)) {
      throw new Error(`${what} inside a transaction: use its tx.`);
    }
  };

  const isDistributed = () => driver.isDistributed?.() ?? false;
  const mergeWrites = createMerger();

  async function runOnce<T>(
    body: (tx: Tx) => Promise<T>,
    isSnapshot: boolean,
    { onCommitting, facts }: TransactionOptions,
  ): Promise<T> {
    const session = driver.begin(facts);
    let answer: T;
    const sent: Promise<unknown>[] = [];
    const { tx, flush } = openTx(session, sent, {
      isSnapshot,
      isShort: facts === 1,
      isDistributed,
      mergeWrites,
    });
    try {
      if (isSnapshot) tx.send('set transaction isolation level repeatable read, read only');
      answer = await (watchesNesting ? running.run(withDriver(driver), body, tx) : body(tx));
      flush();
    } catch (error) {
      const failures = failuresOf(await Promise.allSettled(sent));
      await session.rollback();
      throw sqlState(error) === ABORTED ? (failures[0] ?? error) : error;
    }
    const ending = Promise.allSettled([session.commit(), ...sent]);
    onCommitting?.(ending.then(([committed]) => committed.status === 'fulfilled'));
    const [committed, ...writes] = await ending;
    if (committed.status === 'fulfilled') return answer;
    const failures = failuresOf(writes);
    // If the server refused a write, the COMMIT after it did not happen. If a write failed with the
    // connection, this is unknown: the COMMIT may have succeeded.
    const isUnknown = committed.reason instanceof CommitUnknownError;
    const cause = isUnknown
      ? failures.find((failure) => isSqlState(sqlState(failure)))
      : failures[0];
    throw cause ?? committed.reason;
  }

  async function transact<T>(
    body: (tx: Tx) => Promise<T>,
    isSnapshot: boolean,
    options: TransactionOptions = {},
  ): Promise<T> {
    assertOutside('A transaction');
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(body, isSnapshot, options);
      } catch (error) {
        const final = attempt === ATTEMPTS || error instanceof CommitUnknownError;
        if (final || !isUnavailable(error)) throw error;
        onRetry?.(sqlState(error) ?? 'none');
        await delay(20 * attempt);
      }
    }
  }

  return {
    kind: driver.kind,
    isDistributed,
    assertOutside,
    reads: {
      query: (text, params) => {
        assertOutside('A read');
        return driver.query(text, params);
      },
    },
    transaction: (body, options) => transact(body, false, options),
    snapshot: (body) => transact(body, true),
    listen: driver.listen,
    copyTo: driver.copyTo?.bind(driver),
    pools: driver.pools,
    close: () => driver.close(),
  };
}

/** The server's code for every statement after a failed one: it does not show the cause. */
const ABORTED = '25P02';

function failuresOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes
    .flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    .filter((reason) => sqlState(reason) !== ABORTED);
}

const LONG_ROWS = 24;

/** A statement with many rows is sent at once: the database executes it while the next one is prepared. */
function isLong({ params }: Statement): boolean {
  return params.some((param) => Array.isArray(param) && param.length >= LONG_ROWS);
}

function openTx(
  session: Session,
  sent: Promise<unknown>[],
  {
    isSnapshot,
    isShort,
    isDistributed,
    mergeWrites,
  }: {
    readonly isSnapshot: boolean;
    readonly isShort: boolean;
    isDistributed(): boolean;
    readonly mergeWrites: MergeWrites;
  },
): { tx: Tx; flush(): void } {
  let waiting: Statement[] = [];
  const run = (text: string, params?: readonly unknown[]) => {
    const outcome = session.query(text, params);
    outcome.catch(() => undefined);
    sent.push(outcome);
    return outcome;
  };
  const flush = () => {
    if (waiting.length === 0) return;
    const writes = mergeWrites(waiting, isShort ? 'short' : 'long');
    waiting = [];
    for (const { text, params } of writes) run(text, params);
  };
  const tx = {
    isSnapshot,
    isShort,
    get isDistributed() {
      return isDistributed();
    },
    query: (text: string, params?: readonly unknown[]) => {
      flush();
      return run(text, params);
    },
    script: (text: string) => {
      flush();
      return session.script(text);
    },
    send: (text: string, params: readonly unknown[] = []) => {
      const asked = { text, params };
      // Citus sends a plain write to its shard; one that is merged from several it cannot.
      if (isLong(asked) || isDistributed()) {
        flush();
        run(text, params);
        return;
      }
      const next = isShort ? writeFewAsRows(asked) : asked;
      if (!canJoin(waiting, next)) flush();
      waiting.push(next);
    },
  };
  return { tx: tx as unknown as Tx, flush };
}
