import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listRows, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Account, CheckRow } from './check.ts';

const CHECK = `c.restore_id as "restoreId", c.connection_id as "connectionId", c.method,
  c.environment, c.owner_id as "projectId", c.since, c.status, c.place, c.adopted, c.message,
  c.tries, c.asked_at as "askedAt", c.override_reason as "overrideReason",
  c.overridden_by as "overriddenBy", c.overridden_at as "overriddenAt"`;

export const listChecks = listRows<CheckRow, [restoreId: string]>(
  `select ${CHECK} from restore_checks c where c.restore_id = $1
   order by c.environment, c.method, c.connection_id`,
);

/**
 * Makes accounts due to be asked for everything since a time. Those that were asked for as much stay
 * as they are, unless `anew`.
 */
export function upsertChecks(
  tx: Tx,
  restoreId: string,
  accounts: readonly Account[],
  ask: { readonly since: Instant; readonly now: Instant; readonly anew: boolean },
): void {
  for (const { connectionId, method, environment, projectId } of accounts) {
    tx.send(
      `insert into restore_checks as c (restore_id, connection_id, method, environment, owner_id,
         since, status, adopted, tries, due_at)
       values ($1, $2, $3, $4, $5, $6, 'asking', 0, 0, $7)
       on conflict (restore_id, connection_id) do update
         set since = excluded.since, status = 'asking', place = null, adopted = 0, message = null,
           tries = 0, asked_at = null,
           due_at = excluded.due_at, lease_id = null
         where $8 or c.since > excluded.since`,
      [restoreId, connectionId, method, environment, projectId, ask.since, ask.now, ask.anew],
    );
  }
}

export type DueCheck = CheckRow & { readonly workspaceId: string };

/** Leases the check that is due for the longest time, of a restore that is open. */
export async function claimCheck(
  tx: Tx,
  claim: { readonly now: Instant; readonly leaseId: string; readonly leasedUntil: Instant },
): Promise<DueCheck | undefined> {
  const [row] = await tx.query<DueCheck>(
    `with due as materialized (
       select c.restore_id, c.connection_id, r.workspace_id from restore_checks c
       join restores r on r.id = c.restore_id and r.released_at is null
       where c.due_at <= $1 order by c.due_at, c.connection_id limit 1
       for update of c skip locked)
     update restore_checks c set lease_id = $2, due_at = $3
     from due where c.restore_id = due.restore_id and c.connection_id = due.connection_id
     returning ${CHECK}, due.workspace_id as "workspaceId"`,
    [claim.now, claim.leaseId, claim.leasedUntil],
  );
  return row;
}

type Name = Pick<CheckRow, 'restoreId' | 'connectionId'>;

/** Saves how far a list was read. Changes nothing for who has lost the lease. */
export function updateProgress(
  tx: Tx,
  { restoreId, connectionId }: Name,
  leaseId: string,
  step: {
    readonly place: string;
    readonly adopted: number;
    readonly leasedUntil: Instant;
  },
): void {
  tx.send(
    `update restore_checks set place = $4, adopted = adopted + $5, due_at = $6
     where restore_id = $1 and connection_id = $2 and lease_id = $3`,
    [restoreId, connectionId, leaseId, step.place, step.adopted, step.leasedUntil],
  );
}

/** Ends the questions, or waits for the next one. Changes nothing for who has lost the lease. */
export function updateAnswered(
  tx: Tx,
  { restoreId, connectionId }: Name,
  leaseId: string,
  end: Pick<CheckRow, 'status' | 'message' | 'tries' | 'askedAt'> & {
    readonly adopted: number;
    readonly dueAt: Instant | null;
  },
): void {
  tx.send(
    `update restore_checks set status = $4, message = $5, tries = $6, asked_at = $7, due_at = $8,
       adopted = adopted + $9, lease_id = null
     where restore_id = $1 and connection_id = $2 and lease_id = $3`,
    [
      restoreId,
      connectionId,
      leaseId,
      end.status,
      end.message,
      end.tries,
      end.askedAt,
      end.dueAt,
      end.adopted,
    ],
  );
}

/** Whether the lease is still held. */
export async function isLeased(
  db: Queryable,
  { restoreId, connectionId }: Name,
  leaseId: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from restore_checks
     where restore_id = $1 and connection_id = $2 and lease_id = $3`,
    [restoreId, connectionId, leaseId],
  );
  return rows.length > 0;
}

export const updateOverride = sendWrite<
  [restoreId: string, connectionId: string, reason: string, by: string, at: Instant]
>(
  `update restore_checks set override_reason = $3, overridden_by = $4, overridden_at = $5
   where restore_id = $1 and connection_id = $2`,
);
