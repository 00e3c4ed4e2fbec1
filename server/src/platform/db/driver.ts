/** A row as returned by the driver; see `Driver` for the types of columns. */
export type Row = Record<string, unknown>;

export interface Queryable {
  query<R = Row>(text: string, params?: readonly unknown[]): Promise<R[]>;
}

/**
 * What a database engine must provide. Both engines return the same JavaScript values: int8 as
 * bigint, timestamptz as `YYYY-MM-DDTHH:mm:ss.sssZ`, json and jsonb parsed. Errors have the
 * SQLSTATE in `code`.
 */
export interface Driver {
  readonly kind: 'postgres' | 'embedded';
  /** Whether Citus has distributed the store; known after the first statement. Undefined if it cannot be. */
  isDistributed?(): boolean;
  /** One statement outside any transaction. */
  query<R = Row>(text: string, params?: readonly unknown[]): Promise<R[]>;
  /** Opens a transaction that owns its connection until commit or rollback. */
  /** `facts`: how many the transaction will write, about. */
  begin(facts?: number): Session;
  /**
   * Receives NOTIFY messages of a channel; null whenever it starts listening, because earlier
   * messages are unknown. Only if several processes can share the database.
   */
  listen?(channel: string, onMessage: (payload: string | null) => void): Listener;
  /**
   * Copies the whole store, in a consistent state, into a new folder. Everything else waits
   * meanwhile. Undefined if other tools do that.
   */
  copyTo?(folder: string): Promise<void>;
  /** Use of its connections. Undefined if there are none. */
  pools?(): readonly PoolState[];
  close(): Promise<void>;
}

export interface PoolState {
  readonly pool: 'read' | 'write';
  readonly busy: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

export interface Listener {
  close(): Promise<void>;
}

/** One open transaction. Statements may be sent without waiting; they run in order. */
export interface Session extends Queryable {
  /** Several statements in one text, without parameters. */
  script(text: string): Promise<void>;
  /** Throws `CommitUnknownError` if the connection broke before the response. */
  commit(): Promise<void>;
  /** Never throws: a transaction that cannot be rolled back is gone with its connection. */
  rollback(): Promise<void>;
}

/** The COMMIT was sent, but no response arrived: it may or may not have happened. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError';
}

/** Queries nothing, so that it fails only if the database is unreachable or overloaded. */
export function doesAnswer(db: Queryable): Promise<boolean> {
  return db.query('select 1').then(
    () => true,
    () => false,
  );
}
