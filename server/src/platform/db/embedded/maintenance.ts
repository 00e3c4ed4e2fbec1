import type { SyncListener } from './durable-fs.ts';
import type { Mutex } from './mutex.ts';
import type { Store } from './store.ts';

/** WAL segments (16 MB each) that may fill up before a checkpoint makes them reusable. */
const SEGMENTS_PER_CHECKPOINT = 4;

/**
 * Tables with enough changes for a vacuum, by autovacuum's measure for statistics, and those with
 * old transaction ids.
 */
const TABLES_DUE = `
  select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_all_tables s join pg_class c on c.oid = s.relid
  where c.relkind in ('r', 'm')
    and (s.n_dead_tup + s.n_mod_since_analyze > 50 + 0.1 * s.n_live_tup
      or age(c.relfrozenxid) > 150000000)
  order by 1`;

const UNDEFINED_TABLE = '42P01';

export interface MaintenanceOptions {
  readonly everyMs: number;
  readonly onError: (error: Error) => void;
}

/**
 * What a PostgreSQL server does in the background and the embedded one does not: vacuum and
 * statistics on a timer, and checkpoints, without which the WAL grows forever. Every step takes the
 * session separately, so that nobody waits for more than one table.
 */
export class Maintenance {
  readonly #store: Store;
  readonly #mutex: Mutex;
  readonly #onError: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  /** Passes run one after the other; this is the end of the last one. */
  #last: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Counts of WAL syncs covered by the last vacuum and the last checkpoint. */
  #writesSeen: number;
  #writesCheckpointed = 0;
  #segment = '';
  #segmentsFilled = 0;
  #inCheckpoint = false;

  constructor(store: Store, mutex: Mutex, { everyMs, onError }: MaintenanceOptions) {
    this.#store = store;
    this.#mutex = mutex;
    this.#onError = onError;
    this.#writesSeen = store.fs.walSyncs;
    this.#timer = setInterval(() => this.#enqueue(() => this.#vacuum()), everyMs).unref();
    store.fs.listeners.add(this.#watchWal);
  }

  /** Resolves when a running step has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#store.fs.listeners.delete(this.#watchWal);
    await this.#last;
  }

  readonly #watchWal: SyncListener = ({ kind, path }) => {
    // A checkpoint renames and syncs old segments: these are not filled.
    if (kind !== 'wal' || path === this.#segment || this.#inCheckpoint) return;
    this.#segment = path;
    this.#segmentsFilled += 1;
    if (this.#segmentsFilled === SEGMENTS_PER_CHECKPOINT) this.#enqueue(() => this.#checkpoint());
  };

  #enqueue(pass: () => Promise<void>): void {
    this.#last = this.#last.then(pass).catch(this.#onError);
  }

  async #vacuum(): Promise<void> {
    if (this.#store.fs.walSyncs === this.#writesSeen) return;
    for (const name of await this.#tablesDue()) {
      await this.#step(`vacuum (analyze) ${name}`).catch((error) => {
        if (error.code !== UNDEFINED_TABLE) throw error;
      });
    }
    await this.#checkpoint();
    this.#writesSeen = this.#writesCheckpointed;
  }

  async #tablesDue(): Promise<string[]> {
    // The engine counts changes at the end of statements, at most once a second.
    await this.#step('select pg_stat_force_next_flush()');
    if (this.#stopped) return [];
    const { rows } = await this.#mutex.run(() =>
      this.#store.pg.query<{ name: string }>(TABLES_DUE),
    );
    return rows.map((row) => row.name);
  }

  async #checkpoint(): Promise<void> {
    if (this.#stopped) return;
    await this.#mutex.run(async () => {
      this.#inCheckpoint = true;
      try {
        await this.#store.pg.exec('checkpoint');
      } finally {
        this.#inCheckpoint = false;
        this.#segmentsFilled = 0;
        this.#writesCheckpointed = this.#store.fs.walSyncs;
      }
    });
  }

  async #step(statement: string): Promise<void> {
    if (this.#stopped) return;
    await this.#mutex.run(() => this.#store.pg.exec(statement));
  }
}
