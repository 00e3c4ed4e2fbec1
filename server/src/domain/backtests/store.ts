import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, listRows, listValues, sendWrite } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { TrackedEvent } from '../tracking/batch/facts.ts';
import type { StoredProposal } from './proposal.ts';
import type { BacktestStatus } from './schema.ts';
import type { StoredResult } from './stored-result.ts';

export interface BacktestRow {
  readonly id: string;
  readonly projectId: string;
  readonly programId: string;
  readonly from: Instant;
  readonly to: Instant;
  /** Null for what is in force. */
  readonly definition: object | null;
  readonly proposal: StoredProposal | null;
  readonly status: BacktestStatus;
  readonly eventsDone: bigint;
  readonly eventsAll: bigint | null;
  readonly result: StoredResult | null;
  readonly failure: string | null;
  readonly differenceCount: bigint;
  readonly attempts: number;
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
}

const ROW = `id, project_id as "projectId", program_id as "programId", from_at as "from",
  to_at as "to", definition, proposal, status, events_done as "eventsDone",
  events_all as "eventsAll", result, failure, difference_count as "differenceCount", attempts,
  created_at as "createdAt", created_by as "createdBy", started_at as "startedAt",
  finished_at as "finishedAt"`;

type NewBacktest = Pick<
  BacktestRow,
  | 'id'
  | 'projectId'
  | 'programId'
  | 'from'
  | 'to'
  | 'definition'
  | 'proposal'
  | 'createdAt'
  | 'createdBy'
>;

export function insertBacktest(tx: Tx, row: NewBacktest): void {
  tx.send(
    `insert into backtests (project_id, id, program_id, from_at, to_at, definition, proposal, status,
       events_done, attempts, difference_count, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6::json, $7::json, 'queued', 0, 0, 0, $8, $9)`,
    [
      row.projectId,
      row.id,
      row.programId,
      row.from,
      row.to,
      row.definition && JSON.stringify(row.definition),
      row.proposal && JSON.stringify(row.proposal),
      row.createdAt,
      row.createdBy,
    ],
  );
}

export const countOpen = findRow<{ readonly open: number }, [projectId: string]>(
  `select count(*)::integer as open from backtests
   where project_id = $1 and status in ('queued', 'running')`,
);

export const findBacktest = findRow<BacktestRow, [projectId: string, id: string]>(
  `select ${ROW} from backtests where project_id = $1 and id = $2`,
);

/** Newest first, from those before an id on. */
export const listBacktestRows = listRows<
  BacktestRow,
  [projectId: string, beforeId: string | null, limit: number]
>(`select ${ROW} from backtests where project_id = $1 and ($2::text is null or id < $2)
   order by id desc limit $3`);

/** What is open can be cancelled; a repeat changes nothing. */
export const cancelOpen = sendWrite<[projectId: string, id: string, now: Instant]>(
  `update backtests set status = 'cancelled', lease_token = null, leased_until = null,
     finished_at = $3 where project_id = $1 and id = $2 and status in ('queued', 'running')`,
);

/** Projects with a back-test that nobody runs; first those that had no turn, or had it longest ago. */
export const listWaitingProjects = listValues<string, [now: Instant, limit: number]>(
  `select project_id as "projectId" from backtests
   where project_id in (select w.project_id from backtests w
     where w.status = 'queued' or (w.status = 'running' and w.leased_until < $1))
   group by project_id
   order by max(started_at) nulls first, min(created_at), project_id limit $2`,
);

/**
 * Takes the next back-test of a Project, or one whose process is gone. Undefined if another process runs one: the unique
 * index refuses a second.
 */
export async function claimBacktest(
  db: Queryable,
  {
    projectId,
    token,
    now,
    until,
  }: { projectId: string; token: string; now: Instant; until: Instant },
): Promise<BacktestRow | undefined> {
  const [row] = await db.query<BacktestRow>(
    `update backtests set status = 'running', lease_token = $2, leased_until = $4,
       attempts = attempts + 1, events_done = 0, started_at = coalesce(started_at, $3)
     where project_id = $1 and id = (
       select b.id from backtests b where b.project_id = $1
         and (b.status = 'queued' or (b.status = 'running' and b.leased_until < $3))
         and not exists (select 1 from backtests o where o.project_id = $1
           and o.status = 'running' and o.leased_until >= $3)
       order by b.status desc, b.created_at, b.id limit 1)
       and (status = 'queued' or leased_until < $3)
     returning ${ROW}`,
    [projectId, token, now, until],
  );
  return row;
}

export interface Lease {
  readonly projectId: string;
  readonly id: string;
  readonly token: string;
}

/** Records progress and stays in charge; false if it was cancelled, or another process took over. */
export async function keepLease(
  db: Queryable,
  { projectId, id, token }: Lease,
  { done, all, until }: { done: number; all: number; until: Instant },
): Promise<boolean> {
  const rows = await db.query(
    `update backtests set events_done = $4, events_all = $5, leased_until = $6
     where project_id = $1 and id = $2 and lease_token = $3 returning id`,
    [projectId, id, token, done, all, until],
  );
  return rows.length > 0;
}

/** Gives it back to be run by another process. */
export const releaseLease = sendWrite<[projectId: string, id: string, token: string]>(
  `update backtests set status = 'queued', lease_token = null, leased_until = null
   where project_id = $1 and id = $2 and lease_token = $3`,
);

/** Ends it, unless it was cancelled or taken over meanwhile. */
export const finishBacktest = (
  tx: Tx,
  { projectId, id, token }: Lease,
  result: StoredResult,
  now: Instant,
): void =>
  tx.send(
    `update backtests set status = 'done', result = $4::json, difference_count = $5,
       finished_at = $6, lease_token = null, leased_until = null,
       events_done = coalesce(events_all, 0)
     where project_id = $1 and id = $2 and lease_token = $3`,
    [projectId, id, token, JSON.stringify(result), result.events.listed, now],
  );

export const failBacktest = sendWrite<
  [projectId: string, id: string, token: string, failure: string, now: Instant]
>(`update backtests set status = 'failed', failure = $4, finished_at = $5, lease_token = null,
     leased_until = null
   where project_id = $1 and id = $2 and lease_token = $3`);

/** What differs for a rule and a beneficiary. */
interface StoredLine {
  readonly ruleId: string;
  readonly beneficiaryId: string;
  readonly kind: 'money' | 'unit' | 'discount';
  readonly code: string;
  readonly actual: string;
  readonly proposed: string;
}

/** How a course explained an Event. */
export interface StoredExplained {
  readonly reason: string;
  readonly programId: string | null;
  readonly referrerId: string | null;
  readonly explanation: TrackedEvent['explanation'];
}

export interface DifferenceRow {
  readonly backtestId: string;
  readonly number: number;
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly people: readonly string[];
  readonly lines: readonly StoredLine[];
  readonly actual: StoredExplained | null;
  readonly proposed: StoredExplained | null;
}

/** Each is written once: an earlier one of the same Event is deleted before. */
export function insertDifferences(tx: Tx, projectId: string, rows: readonly DifferenceRow[]): void {
  tx.send(
    `insert into backtest_differences (project_id, backtest_id, number, event_id, occurred_at,
       people, lines, actual, proposed)
     select $1, r."backtestId", r.number, r."eventId", r."occurredAt",
       array(select json_array_elements_text(r.people)), r.lines, r.actual, r.proposed
     from json_to_recordset($2::json) as r ("backtestId" text, number bigint, "eventId" text,
       "occurredAt" timestamptz, people json, lines json, actual json, proposed json)`,
    [projectId, JSON.stringify(rows)],
  );
}

export const deleteDifferences = sendWrite<
  [projectId: string, backtestId: string, numbers: readonly number[]]
>(`delete from backtest_differences
   where project_id = $1 and backtest_id = $2 and number = any($3::bigint[])`);

export const deleteAllDifferences = sendWrite<[projectId: string, backtestId: string]>(
  'delete from backtest_differences where project_id = $1 and backtest_id = $2',
);

export type StoredDifference = Omit<DifferenceRow, 'number' | 'backtestId' | 'people'> & {
  readonly number: bigint;
};

/** In the order of the facts. */
export const listDifferenceRows = listRows<
  StoredDifference,
  [projectId: string, backtestId: string, after: number, limit: number]
>(`select number, event_id as "eventId", occurred_at as "occurredAt", lines, actual, proposed
   from backtest_differences where project_id = $1 and backtest_id = $2 and number > $3
   order by number limit $4`);

/** Differences that name somebody who is erased. */
export const eraseDifferences = sendWrite<[projectId: string, participantId: string]>(
  'delete from backtest_differences where project_id = $1 and people @> array[$2::text]',
);

export const listProjectsWithBacktests = listValues<string, [before: Instant]>(
  'select distinct project_id as "projectId" from backtests where created_at < $1',
);

/** Also those that were never run. */
export async function deleteBacktests(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const old = `select id from backtests where project_id = $1 and created_at < $2 limit $3`;
  const differences = await tx.query(
    `delete from backtest_differences where project_id = $1 and (backtest_id, number) in
       (select d.backtest_id, d.number from backtest_differences d
        where d.project_id = $1 and d.backtest_id in (${old}) limit $3) returning number`,
    [projectId, before, limit],
  );
  if (differences.length > 0) return differences.length;
  const rows = await tx.query(
    `delete from backtests where project_id = $1 and id in (${old}) returning id`,
    [projectId, before, limit],
  );
  return rows.length;
}
