/** A row as the driver hands it out: see `Driver` for how column types arrive. */
export type Row = Record<string, unknown>;

export interface Queryable {
  query<R = Row>(text: string, params?: readonly unknown[]): Promise<R[]>;
}

/**
 * What a database engine must offer. Both engines hand out the same JavaScript values:
 * int8 as bigint, timestamptz as `YYYY-MM-DDTHH:mm:ss.sssZ`, json and jsonb parsed.
 * Errors carry the SQLSTATE in `code`.
 */
export interface Driver {
  readonly kind: 'postgres' | 'embedded';
  /** One statement outside any transaction. */
  query<R = Row>(text: string, params?: readonly unknown[]): Promise<R[]>;
  /** Opens a transaction that owns its connection until commit or rollback. */
  begin(): Session;
  /**
   * Hears what is said with NOTIFY on a channel; null whenever it begins to hear, since what was
   * said before is not known. Only where several processes can share the database.
   */
  listen?(channel: string, onMessage: (payload: string | null) => void): Listener;
  /**
   * Copies the whole store, as of one moment, into a folder that is not there yet. Everybody waits
   * meanwhile. Undefined where others do that.
   */
  copyTo?(folder: string): Promise<void>;
  /** How its connections are used. Undefined where there are none. */
  pools?(): readonly PoolState[];
  close(): Promise<void>;
}

export interface PoolState {
  readonly pool: 'read' | 'write';
  readonly busy: number;
  readonly idle: number;
  /** Those who wait for a connection. */
  readonly waiting: number;
}

export interface Listener {
  close(): Promise<void>;
}

/** One open transaction. Statements may be sent without waiting; they run in order. */
export interface Session extends Queryable {
  /** Several statements in one text, without parameters. */
  script(text: string): Promise<void>;
  /** Throws `CommitUnknownError` when the connection broke before the answer came. */
  commit(): Promise<void>;
  /** Never throws: a transaction that cannot be rolled back is gone with its connection. */
  rollback(): Promise<void>;
}

/** The COMMIT was sent, its answer never came: it may or may not have happened. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError';
}
