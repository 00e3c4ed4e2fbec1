import type { PGlite } from '@electric-sql/pglite';
import type { Driver, Row, Session } from '../driver.ts';
import { PlanAge, WRITE_PLANS } from '../engine-common.ts';
import type { Mutex } from './mutex.ts';
import { Statements } from './statements.ts';

const ignore = () => undefined;

/** Nobody else writes to this database, so what its tables have is what this process wrote. */
const FEW_FACTS = 256;

const BEGIN = ['begin', ...WRITE_PLANS.map((setting) => `set local ${setting}`)].join('; ');

/** The engine has one session, used by one caller at a time; a transaction has it until its end. */
export class EmbeddedDriver implements Driver {
  readonly kind = 'embedded';
  readonly #pg: PGlite;
  readonly #mutex: Mutex;
  readonly #plans = new PlanAge({ firstAt: FEW_FACTS });
  readonly #shutDown: () => Promise<void>;
  readonly #copy: ((folder: string) => Promise<void>) | undefined;
  #closed: Promise<void> | undefined;

  /**
   * `shutDown` runs once; earlier requests are still served. `copy` is called while nothing else
   * happens in the store.
   */
  constructor(
    pg: PGlite,
    mutex: Mutex,
    shutDown: () => Promise<void>,
    copy?: (folder: string) => Promise<void>,
  ) {
    this.#pg = pg;
    this.#mutex = mutex;
    this.#shutDown = shutDown;
    this.#copy = copy;
  }

  async copyTo(folder: string): Promise<void> {
    this.#refuseWhenClosed();
    const copy = this.#copy;
    if (!copy) throw new Error('This store is not in a folder.');
    await this.#mutex.run(async () => {
      // Leaves little to replay when the copy is opened.
      await this.#pg.exec('checkpoint');
      await copy(folder);
    });
  }

  async query<R = Row>(text: string, params: readonly unknown[] = []): Promise<R[]> {
    this.#refuseWhenClosed();
    return await this.#mutex.run(() => runQuery<R>(this.#pg, text, params));
  }

  begin(facts = 1): Session {
    this.#refuseWhenClosed();
    return new EmbeddedSession(this.#pg, this.#mutex.acquire(), () =>
      this.#plans.isOutdated(this.#pg, facts),
    );
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new Error('The database is closed.');
  }
}

class EmbeddedSession implements Session {
  readonly #pg: PGlite;
  /** Resolves, once the transaction is open, with the function that releases the session. */
  readonly #begun: Promise<() => void>;
  #last: Promise<unknown>;
  #ended = false;
  #failure: unknown;

  constructor(pg: PGlite, turn: Promise<() => void>, hasOldPlans: () => boolean) {
    this.#pg = pg;
    this.#begun = turn.then(async (release) => {
      try {
        if (hasOldPlans()) await runScript(pg, 'discard plans');
        await runScript(pg, BEGIN);
        return release;
      } catch (error) {
        release();
        throw error;
      }
    });
    this.#last = this.#begun.catch(ignore);
  }

  query<R = Row>(text: string, params: readonly unknown[] = []): Promise<R[]> {
    return this.#enqueue(() => runQuery<R>(this.#pg, text, params));
  }

  script(text: string): Promise<void> {
    return this.#enqueue(async () => {
      await runScript(this.#pg, text);
    });
  }

  commit(): Promise<void> {
    return this.#end(async () => {
      const unknownToServer = this.#failure !== undefined && !hasState(this.#failure);
      const command = await runScript(this.#pg, unknownToServer ? 'rollback' : 'commit');
      // PostgreSQL answers the COMMIT of a failed transaction with a successful ROLLBACK.
      if (command !== 'COMMIT') throw new AbortedError(this.#failure);
    });
  }

  async rollback(): Promise<void> {
    const done = this.#ended ? this.#last : this.#end(() => runScript(this.#pg, 'rollback'));
    await done.catch(ignore);
  }

  #end<T>(work: () => Promise<T>): Promise<T> {
    const outcome = this.#enqueue(async () => {
      const release = await this.#begun;
      try {
        return await work();
      } finally {
        release();
      }
    });
    this.#ended = true;
    return outcome;
  }

  /** An unawaited failure must not crash the process: the commit reports it. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(new Error('The transaction has already ended.'));
    const outcome = this.#last.then(() => this.#begun).then(work);
    this.#last = outcome.catch((error) => {
      this.#failure ??= error;
    });
    return outcome;
  }
}

class AbortedError extends Error {
  readonly code = '25P02';

  constructor(cause: unknown) {
    super('The transaction had failed and was rolled back.', { cause });
  }
}

/** Prepared statements live as long as the engine, whichever driver uses it. */
const statements = new WeakMap<PGlite, Statements>();

function statementsOf(pg: PGlite): Statements {
  const known = statements.get(pg) ?? new Statements(pg);
  statements.set(pg, known);
  return known;
}

function runQuery<R>(pg: PGlite, text: string, params: readonly unknown[]): Promise<R[]> {
  return statementsOf(pg).run<R>(text, params);
}

/** Returns the last command. */
function runScript(pg: PGlite, text: string): Promise<string | undefined> {
  return statementsOf(pg).script(text);
}

function hasState(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'string';
}
