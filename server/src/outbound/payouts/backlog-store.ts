import type { Queryable } from '../../platform/db/driver.ts';
import type { Instant } from '../../platform/kit/instant.ts';

export interface PayoutBacklog {
  /** Transfers of which the provider could not yet say what became of them. */
  readonly unanswered: number;
  readonly firstUnansweredAt: Instant | null;
  /** When the provider was to be called about the transfer that is most overdue. */
  readonly firstDueAt: Instant | null;
}

/** Over all Workspaces, for operators: the transfers that something is wrong with. */
export async function readPayoutBacklog(source: Queryable, now: Instant): Promise<PayoutBacklog> {
  const [row] = await source.query<PayoutBacklog>(
    `select count(*)::integer as unanswered, min(unanswered_since) as "firstUnansweredAt",
       (select min(due_at) from payouts where due_at <= $1) as "firstDueAt"
     from payouts where status = 'processing' and unanswered_since is not null`,
    [now],
  );
  return row ?? { unanswered: 0, firstUnansweredAt: null, firstDueAt: null };
}
