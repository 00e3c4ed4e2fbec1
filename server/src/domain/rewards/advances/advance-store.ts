import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listRows, listValues, sendWrite } from '../../../platform/db/statements.ts';
import { bigint, insertRows, integer, text, timestamptz } from '../../../platform/db/write-rows.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { AdvanceRow } from './decide-adoption.ts';

export const insertAdvances = insertRows<AdvanceRow & { readonly createdAt: Instant }>(
  'reward_advances',
  {
    reference: text(({ reference }) => reference),
    restore_id: text(({ restoreId }) => restoreId),
    account: text(({ account }) => account),
    reward_id: text(({ rewardId }) => rewardId),
    attempt: integer(({ attempt }) => attempt),
    currency: text(({ currency }) => currency),
    amount_minor: bigint(({ amountMinor }) => amountMinor),
    left_minor: bigint(({ leftMinor }) => leftMinor),
    made_at: timestamptz(({ madeAt }) => madeAt),
    created_at: timestamptz(({ createdAt }) => createdAt),
  },
);

const ADVANCE = `a.reference, a.restore_id as "restoreId", a.account, a.reward_id as "rewardId",
  a.attempt, a.currency, a.amount_minor as "amountMinor", a.left_minor as "leftMinor",
  a.made_at as "madeAt"`;

/** What is left on these accounts, each named once, oldest first. */
export function listLeft(
  db: Queryable,
  projectId: string,
  accounts: readonly string[],
): Promise<AdvanceRow[]> {
  return db.query<AdvanceRow>(
    `select a.* from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select ${ADVANCE} from reward_advances a
       where a.project_id = $1 and a.account = asked_id and a.left_minor <> 0 offset 0) as a
     order by a."madeAt", a.reference`,
    [projectId, accounts],
  );
}

/** The credits of these Rewards that the store has: as lines, or as advances. */
export function listKnownCredits(
  db: Queryable,
  projectId: string,
  rewardIds: readonly string[],
): Promise<{ rewardId: string; attempt: number }[]> {
  return db.query(
    `select asked_id as "rewardId", k.attempt from unnest($2::text[]) as asked (asked_id)
     cross join lateral (
       (select l.attempt from reward_delivery_lines l
         where l.project_id = $1 and l.reward_id = asked_id and l.advance is null offset 0)
       union all
       (select a.attempt from reward_advances a
         where a.project_id = $1 and a.reward_id = asked_id offset 0)) as k`,
    [projectId, rewardIds],
  );
}

export const updateLeft = sendWrite<[projectId: string, reference: string, leftMinor: bigint]>(
  'update reward_advances set left_minor = $3 where project_id = $1 and reference = $2',
);

/** Those of these accounts that were asked after this restore. */
export const listAsked = listValues<
  string,
  [projectId: string, restoreId: string, accounts: readonly string[]]
>(
  `select account from reward_advance_accounts
   where project_id = $1 and restore_id = $2 and account = any($3::text[])`,
);

export function insertAsked(tx: Tx, projectId: string, restoreId: string, account: string): void {
  tx.send(
    `insert into reward_advance_accounts (project_id, account, restore_id) values ($1, $2, $3)
     on conflict do nothing`,
    [projectId, account, restoreId],
  );
}

/**
 * Participants with a delivery on a balance that is open, after one of them. Their accounts may have
 * been credited since the backup.
 */
export const listOpenBeneficiaries = listValues<
  string,
  [projectId: string, after: string, limit: number]
>(
  `select distinct participant_id from reward_deliveries
   where project_id = $1 and method = 'stripe_balance' and participant_id > $2
     and (due_at is not null or step is not null or waits_for_account)
   order by participant_id limit $3`,
);

/** The accounts of the open deliveries of these people on balances. Some are not theirs any more. */
export const listOpenAccounts = listValues<
  string,
  [projectId: string, participantIds: readonly string[]]
>(
  `select distinct account from reward_deliveries
   where project_id = $1 and method = 'stripe_balance' and participant_id = any($2::text[])
     and account is not null and (due_at is not null or step is not null or waits_for_account)`,
);

/** The people whose deliveries have this account. */
export const listBeneficiariesAt = listValues<string, [projectId: string, account: string]>(
  'select distinct participant_id from reward_deliveries where project_id = $1 and account = $2',
);

/** Since when the oldest open order on this account may have been carried out; null if there is none. */
export async function findOldestOrder(
  db: Queryable,
  projectId: string,
  account: string,
): Promise<Instant | null> {
  const [row] = await db.query<{ since: Instant | null }>(
    `select min(intended_at) as since from reward_deliveries
     where project_id = $1 and account = $2 and step is not null`,
    [projectId, account],
  );
  return row?.since ?? null;
}

export interface CreditTotal {
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: bigint;
  readonly leftMinor: bigint;
}

export const sumAdvances = listRows<CreditTotal, [projectId: string, restoreId: string]>(
  `select currency, count(*)::integer as count, sum(amount_minor)::bigint as "amountMinor",
     sum(left_minor)::bigint as "leftMinor"
   from reward_advances where project_id = $1 and restore_id = $2
   group by currency order by currency`,
);

/** The account of an erased person. Others could not be credited again by it. */
export const deleteAdvancesOf = sendWrite<[projectId: string, accounts: readonly string[]]>(
  'delete from reward_advances where project_id = $1 and account = any($2::text[])',
);

export const deleteAskedOf = sendWrite<[projectId: string, accounts: readonly string[]]>(
  'delete from reward_advance_accounts where project_id = $1 and account = any($2::text[])',
);
