import { performance } from 'node:perf_hooks';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { addMs, toInstant } from '../../platform/kit/instant.ts';
import { loadBook } from '../programs/load-book.ts';
import type { ProgramBook } from '../programs/program-book.ts';
import type { TrackedEvent } from '../tracking/batch/facts.ts';
import type { RiskSources } from '../tracking/risk/load-risk.ts';
import type { EventDifference } from './decide/compare-events.ts';
import { proposeBook } from './decide/propose-book.ts';
import type { Replay } from './decide/replay.ts';
import type { Pace } from './pace.ts';
import { readProposal } from './proposal.ts';
import { replayHistory } from './replay-history.ts';
import {
  type BacktestRow,
  type DifferenceRow,
  deleteAllDifferences,
  deleteDifferences,
  finishBacktest,
  insertDifferences,
  keepLease,
  type Lease,
  releaseLease,
  type StoredExplained,
} from './store.ts';
import { toStoredResult } from './stored-result.ts';

/** Another process takes over what has made no progress for this long: a page takes a few seconds at most. */
const LEASE_MS = 30_000;
/** How often the lease is renewed, and the progress told. */
const TELL_MS = 1_000;
/** Differences that are kept with both explanations; all of them count. */
export const DIFFERENCES_MAX = 10_000;
const SAVED_AT_ONCE = 500;

export interface RunDeps extends RiskSources {
  readonly database: Database;
  readonly clock: Clock;
  /** One for all back-tests of the process. */
  readonly pace: Pace;
}

/** Facts of a page. The embedded database runs on the event loop, and answers nobody else until a page is read. */
const PAGE = { postgres: 500, embedded: 50 };

/** Ends a run of which another process, or nobody, is in charge any more. */
class Lost extends Error {}

/** Runs a back-test that this process has claimed. `stopping` gives it back, to begin anew elsewhere. */
export async function runBacktest(
  deps: RunDeps,
  row: BacktestRow,
  token: string,
  stopping: AbortSignal,
): Promise<void> {
  const lease: Lease = { projectId: row.projectId, id: row.id, token };
  const { database } = deps;
  try {
    await replay(deps, row, lease, stopping);
  } catch (error) {
    if (stopping.aborted) {
      await database.transaction(async (tx) => {
        releaseLease(tx, lease.projectId, lease.id, token);
      });
      return;
    }
    if (!(error instanceof Lost)) throw error;
  }
}

async function replay(
  deps: RunDeps,
  row: BacktestRow,
  lease: Lease,
  stopping: AbortSignal,
): Promise<void> {
  const { database, clock, pace } = deps;
  const { projectId, programId, from, to, id } = row;
  await database.transaction(async (tx) => deleteAllDifferences(tx, projectId, id));
  const { actual, proposed } = await loadBooks(database, row);
  const kept = new KeptDifferences(database, lease);
  let toldAt = Number.NEGATIVE_INFINITY;
  const replayed = await replayHistory(
    database.reads,
    { projectId, programId, actual, proposed, from, to },
    {
      risk: deps,
      pace,
      page: PAGE[database.kind],
      onPage: async (done, all, current) => {
        if (stopping.aborted) throw new Lost('The process stops.');
        const isTold = done < all && performance.now() - toldAt < TELL_MS;
        if (isTold && current.events.differences.size < SAVED_AT_ONCE) return;
        toldAt = performance.now();
        const until = toInstant(clock.nowMs() + LEASE_MS);
        if (!(await keepLease(database.reads, lease, { done, all, until }))) throw new Lost();
        await kept.save(current);
      },
    },
  );
  await kept.save(replayed);
  const books = [actual, proposed];
  const { count: different, listed } = kept;
  const result = toStoredResult(replayed, { programId, from, to, books }, { different, listed });
  await database.transaction(async (tx) => {
    finishBacktest(tx, lease, result, toInstant(clock.nowMs()));
  });
}

async function loadBooks(
  { reads }: Database,
  { projectId, programId, from, to, proposal, createdAt }: BacktestRow,
): Promise<{ actual: ProgramBook; proposed: ProgramBook }> {
  const actual = await loadBook(reads, projectId);
  if (proposal === null) return { actual, proposed: actual };
  const read = await readProposal(reads, projectId, proposal, createdAt);
  return { actual, proposed: proposeBook(actual, programId, read, { from, to }) };
}

/** Saves what differs, page by page: nothing of it stays in memory but the numbers. */
class KeptDifferences {
  count = 0;
  readonly #database: Database;
  readonly #lease: Lease;
  /** By Event, of those that may still change. */
  readonly #known = new Map<string, { readonly number: number; readonly isSaved: boolean }>();
  listed = 0;

  constructor(database: Database, lease: Lease) {
    this.#database = database;
    this.#lease = lease;
  }

  async save({ events }: Replay): Promise<void> {
    const { differences } = events;
    const gone: number[] = [];
    const rows: DifferenceRow[] = [];
    for (const [eventId, difference] of differences) {
      const known = this.#known.get(eventId);
      if (known?.isSaved) {
        gone.push(known.number);
        this.listed -= 1;
      }
      if (known) this.count -= 1;
      this.#known.delete(eventId);
      if (!difference) continue;
      this.count += 1;
      const isSaved = this.listed < DIFFERENCES_MAX;
      // One that cannot change any more need not be remembered.
      if (events.isOpen(eventId)) this.#known.set(eventId, { number: difference.number, isSaved });
      if (!isSaved) continue;
      this.listed += 1;
      rows.push(toRow(this.#lease.id, difference));
    }
    differences.clear();
    if (gone.length + rows.length === 0) return;
    const { projectId, id } = this.#lease;
    await this.#database.transaction(async (tx) => {
      if (gone.length > 0) deleteDifferences(tx, projectId, id, gone);
      for (let at = 0; at < rows.length; at += SAVED_AT_ONCE) {
        insertDifferences(tx, projectId, rows.slice(at, at + SAVED_AT_ONCE));
      }
    });
  }
}

function toRow(
  backtestId: string,
  { eventId, number, occurredAt, lines, explained, referrers }: EventDifference,
): DifferenceRow {
  const actual = toExplained(explained.actual, referrers.actual);
  const proposed = toExplained(explained.proposed, referrers.proposed);
  const candidates = [actual, proposed].flatMap((one) => one?.explanation?.candidates ?? []);
  const people = [
    ...lines.map(({ beneficiaryId }) => beneficiaryId),
    ...candidates.map(({ referrerParticipantId }) => referrerParticipantId),
    ...[actual?.referrerId, proposed?.referrerId].flatMap((id) => id ?? []),
  ];
  return {
    backtestId,
    number,
    eventId,
    occurredAt,
    people: [...new Set(people)],
    lines: lines.map((line) => ({
      ...line,
      actual: String(line.actual),
      proposed: String(line.proposed),
    })),
    actual,
    proposed,
  };
}

type Explained = NonNullable<TrackedEvent['explanation']>;

function toExplained(
  event: TrackedEvent | null,
  referrerId: string | null,
): StoredExplained | null {
  if (!event) return null;
  const { processingReason: reason, programId, explanation } = event;
  return { reason, programId, referrerId, explanation: explanation && withoutRewards(explanation) };
}

/** A replay gives its rewards ids that nobody could look up. */
function withoutRewards(explanation: Explained): Explained {
  return { ...explanation, rules: explanation.rules.map((rule) => ({ ...rule, rewardId: null })) };
}

export function leaseUntil({ nowMs }: Clock): string {
  return addMs(toInstant(nowMs()), LEASE_MS);
}
