import { setTimeout as delay } from 'node:timers/promises';
import {
  type Database,
  isConflict,
  isUnavailable,
  type TransactionOptions,
  type Tx,
} from '../../db/database.ts';
import { CommitUnknownError } from '../../db/driver.ts';
import { shareTransaction } from '../../db/share-transaction.ts';
import type { WriteRequest } from '../../http/access/principal.ts';
import { Rehearsed } from '../../http/access/rehearsal.ts';
import { AppError, unavailable } from '../../kit/errors.ts';
import type { Tracer } from '../../kit/tracer.ts';
import type { FeedHint } from '../hints.ts';
import { lockFreeHeads, lockHead } from '../store.ts';
import { ConfigCache } from './config-cache.ts';
import type { Command, Handler, Outcome, ProjectWrite } from './project-write.ts';
import { deliver, takeBatch, type Waiting } from './queue.ts';
import { type BatchDeps, type BatchResult, runBatch } from './run-batch.ts';
import { isShareable, Sharing } from './sharing.ts';

/** Number of Projects whose settings each process caches. */
const CONFIGS_MAX = 5_000;
/** A shared transaction has locked many Projects, so it does not wait long for other rows. */
const LOCK_TIMEOUT = `set local lock_timeout = '250ms'`;
/** If the response to a commit takes longer after the lock was passed on, it is considered lost. */
const ANSWER_MS = 1_000;

export interface WriterOptions extends Omit<BatchDeps, 'configs'> {
  readonly database: Database;
  /** Commands that may wait for one Project in this process; more are refused with 503. */
  readonly queueMax: number;
  /** Called after events of a Project are committed: a hint, which a crash may lose. */
  readonly onAppend?: (hint: FeedHint) => void;
  readonly onBatch?: (batch: BatchReport) => void;
  /** Reports why a shared transaction was given up. Its commands are written all the same, if they can be. */
  readonly onSharedFailure?: ((error: unknown) => void) | undefined;
  readonly tracer?: Tracer | undefined;
}

/** Report of a finished transaction. */
export interface BatchReport {
  readonly handler: string;
  readonly size: number;
  readonly ms: number;
  /** Refused: rolled back by a decision. Failed: by an error, or with an unknown outcome. */
  readonly outcome: 'committed' | 'refused' | 'failed';
  /** Number of events added to the feed. */
  readonly appended: number;
}

/** The only way to write a fact. See `../README.md` for its guarantees. */
export interface ProjectWriter {
  /** Runs `input` with other commands that wait for the same handler, in one transaction. */
  submit<C, A, L>(handler: Handler<C, A, L>, request: WriteRequest, input: C): Promise<A>;
  /** Runs `body` alone in its transaction; throwing an `AppError` refuses and rolls back. */
  run<A>(request: WriteRequest, body: (write: ProjectWrite) => Promise<Outcome<A>>): Promise<A>;
  /** Commands waiting or being written, over all Projects. */
  pending(): number;
  /** Resolves when nothing is waiting. */
  drain(): Promise<void>;
}

/** A batch in progress, as seen by the next one. */
interface Turn {
  /** Resolves when its commit is sent, or when it ended without one. */
  committing: Promise<void>;
  /** Whether that commit succeeded. */
  isCommitted: Promise<boolean>;
  /** Resolves when all its commands are answered. */
  settled: Promise<void>;
}

/** No batch is in progress. */
const ALONE: Turn = {
  committing: Promise.resolve(),
  isCommitted: Promise.resolve(true),
  settled: Promise.resolve(),
};

/** The next batch has the lock, so the response must be on its way: nobody waits long for a lost one. */
async function isWritten({ isCommitted }: Turn): Promise<boolean> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const late = delay(ANSWER_MS, false, { ref: false, signal }).catch(() => false);
  const answer = await Promise.race([isCommitted, late]);
  waiting.abort();
  return answer;
}

export function createProjectWriter(options: WriterOptions): ProjectWriter {
  const queues = new Map<string, Waiting[]>();
  const pumps = new Map<string, Promise<void>>();
  const deps: BatchDeps = { ...options, configs: new ConfigCache(CONFIGS_MAX) };
  const sharing = new Sharing(settleShared);
  let pending = 0;

  async function submit<C, A, L>(
    handler: Handler<C, A, L>,
    request: WriteRequest,
    input: C,
  ): Promise<A> {
    const { projectId } = request;
    options.database.assertOutside('A write');
    if (request.isRehearsal) return rehearse(handler, request, input);
    const queue = queues.get(projectId) ?? [];
    if (queue.length >= options.queueMax && !handler.isBounded) {
      throw unavailable(
        'Too many writes are waiting for this project. Try again shortly.',
        'overloaded',
      );
    }
    queues.set(projectId, queue);
    pending += 1;
    const answer = new Promise<unknown>((resolve, reject) => {
      queue.push({
        span: options.tracer?.current() ?? null,
        handler: handler as Handler<unknown, unknown, unknown>,
        command: { request, input },
        resolve,
        reject,
      });
    }).finally(() => {
      pending -= 1;
    });
    if (!pumps.has(projectId)) pumps.set(projectId, pump(projectId, queue));
    return answer as Promise<A>;
  }

  /** Decides a command as `submit` does, and rolls it back. Fails with its refusal, or with `Rehearsed`. */
  function rehearse<C, A, L>(
    handler: Handler<C, A, L>,
    request: WriteRequest,
    input: C,
  ): Promise<never> {
    return options.database.transaction(async (tx) => {
      const locking = lockHead(tx, request.projectId);
      const commands = [{ request, input }];
      const { outcomes } = await runBatch(tx, deps, { handler, commands, locking });
      for (const outcome of outcomes) if ('refused' in outcome) throw outcome.refused;
      throw new Rehearsed('The write was rehearsed.');
    });
  }

  /** Processes a Project's queue: few commands in transactions shared with others, many in its own. */
  async function pump(projectId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      if (isShareable(queue) && !options.database.isDistributed()) await sharing.join(queue);
      else await pumpAlone(queue);
    }
    queues.delete(projectId);
    pumps.delete(projectId);
  }

  /**
   * Nobody fails because of another: after an error, each batch runs alone. If the database is unavailable all
   * fail, as in `settle`.
   */
  async function settleShared(batches: readonly Waiting[][]): Promise<(Promise<void> | null)[]> {
    const [only] = batches;
    if (only && batches.length === 1) {
      await settle(only);
      return [null];
    }
    try {
      const results = await trace(batches.flat(), () => transactShared(batches));
      return batches.map((batch, index) => {
        const result = results[index];
        if (!result) return settle(batch);
        deliver(batch, result.outcomes);
        return null;
      });
    } catch (error) {
      options.onSharedFailure?.(error);
      const isOfOne = isConflict(error) || error instanceof CommitUnknownError;
      if (isOfOne || !isUnavailable(error)) return batches.map((batch) => settle(batch));
      for (const waiting of batches.flat()) waiting.reject(error);
      return batches.map(() => null);
    }
  }

  /** The results of batches of different Projects; null for a Project that another transaction has locked. */
  async function transactShared(
    batches: readonly (readonly Waiting[])[],
  ): Promise<(BatchResult<unknown> | null)[]> {
    const startedAt = performance.now();
    let appended = 0;
    let outcome: BatchReport['outcome'] = 'failed';
    let isTaken = batches.map(() => true);
    const projectIds = batches.map(([first]) => (first as Waiting).command.request.projectId);
    try {
      const results = await options.database.transaction(
        (tx) => {
          if (options.database.kind === 'postgres') tx.send(LOCK_TIMEOUT);
          const locking = lockFreeHeads(tx, projectIds);
          return shareTransaction(
            tx,
            batches.map((batch, index) => async (part: Tx) => {
              const { handler } = batch[0] as Waiting;
              const commands = batch.map(({ command }) => command);
              const headOf = locking.then((heads) => heads.get(projectIds[index] as string));
              try {
                return await runBatch(part, deps, { handler, commands, locking: headOf });
              } catch (error) {
                if (await headOf) throw error;
                return null;
              }
            }),
          );
        },
        { facts: batches.flat().length },
      );
      isTaken = results.map((result) => result !== null);
      for (const [index, result] of results.entries()) {
        if (!result) continue;
        appended += result.appended;
        const projectId = projectIds[index] as string;
        if (result.appended > 0)
          options.onAppend?.({ projectId, hasDeliveries: result.queued > 0 });
      }
      outcome = 'committed';
      return results;
    } finally {
      const ms = performance.now() - startedAt;
      const size = batches.reduce(
        (sum, batch, index) => sum + (isTaken[index] ? batch.length : 0),
        0,
      );
      const { handler } = (batches[0] as readonly Waiting[])[0] as Waiting;
      options.onBatch?.({ handler: handler.name, size, ms, outcome, appended });
    }
  }

  /**
   * Processes a Project's queue batch by batch. While one commits, the next waits for the Project's
   * lock, so that the database is never idle in between.
   */
  async function pumpAlone(queue: Waiting[]): Promise<void> {
    let before = ALONE;
    while (queue.length > 0) {
      const turn = begin(takeBatch(queue), before);
      await turn.committing;
      await before.settled;
      before = turn;
      if (queue.length === 0) await turn.settled;
    }
  }

  function begin(batch: readonly Waiting[], before: Turn): Turn {
    const turn = { ...ALONE };
    turn.committing = new Promise((resolve) => {
      const onCommitting = (isCommitted: Promise<boolean>) => {
        turn.isCommitted = isCommitted;
        resolve();
      };
      turn.settled = settle(batch, before, onCommitting).finally(resolve);
    });
    return turn;
  }

  async function settle(
    batch: readonly Waiting[],
    before = ALONE,
    onCommitting?: TransactionOptions['onCommitting'],
  ): Promise<void> {
    let isIn = before === ALONE;
    const isTurn = async () => {
      isIn ||= await isWritten(before);
      return isIn;
    };
    try {
      deliver(batch, await trace(batch, () => transact(batch, isTurn, onCommitting)));
    } catch (error) {
      // It had no turn and wrote nothing, whatever the error: it runs after the previous one.
      if (!isIn) {
        await before.settled;
        await settle(batch);
        return;
      }
      // One bad command must not fail the others. For database failures this does not apply:
      // running each alone would multiply the wait, or write again what may already be written.
      if (batch.length > 1 && !isUnavailable(error)) {
        for (const waiting of batch) await settle([waiting]);
        return;
      }
      for (const waiting of batch) waiting.reject(error);
    }
  }

  /** A batch's span is a child of the longest-waiting call and links to the others. */
  function trace<T>(batch: readonly Waiting[], work: () => Promise<T>): Promise<T> {
    const { tracer } = options;
    if (!tracer) return work();
    const { handler, span } = batch[0] as Waiting;
    const spanOptions = {
      parent: span,
      links: batch.slice(1).flatMap((waiting) => waiting.span ?? []),
      attributes: { 'goodword.handler': handler.name, 'goodword.commands': batch.length },
    };
    return tracer.span(`write ${handler.name}`, spanOptions, work);
  }

  async function transact(
    batch: readonly Waiting[],
    isTurn: () => Promise<boolean>,
    onCommitting: TransactionOptions['onCommitting'],
  ): Promise<Outcome<unknown>[]> {
    const { handler } = batch[0] as Waiting;
    const commands = batch.map((waiting) => waiting.command);
    const startedAt = performance.now();
    let report: Pick<BatchReport, 'outcome' | 'appended'> = { outcome: 'failed', appended: 0 };
    const { projectId } = (commands[0] as Command<unknown>).request;
    const attempt = async () => {
      const { outcomes, appended, queued } = await options.database.transaction(
        (tx) => runBatch(tx, deps, { handler, commands, locking: lockHead(tx, projectId), isTurn }),
        { onCommitting, facts: batch.length },
      );
      report = { outcome: 'committed', appended };
      if (appended > 0) options.onAppend?.({ projectId, hasDeliveries: queued > 0 });
      return outcomes;
    };
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof AppError) report = { outcome: 'refused', appended: 0 };
      const repeatable = commands.every(
        ({ request }) => handler.repeatable || request.idempotency !== null,
      );
      if (!(error instanceof CommitUnknownError && repeatable)) throw error;
      return await attempt();
    } finally {
      const ms = performance.now() - startedAt;
      options.onBatch?.({ handler: handler.name, size: batch.length, ms, ...report });
    }
  }

  return {
    submit,
    run: (request, body) =>
      submit(
        {
          name: 'solo',
          batchMax: 1,
          repeatable: false,
          run: async (write) => [await body(write)],
        },
        request,
        undefined,
      ),
    pending: () => pending,
    drain: async () => {
      while (pumps.size > 0) await Promise.all(pumps.values());
    },
  };
}
