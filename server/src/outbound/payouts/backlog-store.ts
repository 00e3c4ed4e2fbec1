import type { Queryable } from '../../platform/db/driver.ts';
import type { Instant } from '../../platform/kit/instant.ts';

export interface PayoutBacklog {
  /** Transfers whose outcome the provider could not report yet. */
  readonly unanswered: number;
  readonly firstUnansweredAt: Instant | null;
  /** When the most overdue call to a provider was due. */
  readonly firstDueAt: Instant | null;
}

/** The transfers with problems in all workspaces, for operators. */
export async function readPayoutBacklog(db: Queryable, now: Instant): Promise<PayoutBacklog> {
  const [row] = await db.query<PayoutBacklog>(
    `select count(*)::integer as unanswered, min(unanswered_since) as "firstUnansweredAt",
       (select min(due_at) from payouts where due_at <= $1) as "firstDueAt"
     from payouts where status = 'processing' and unanswered_since is not null`,
    [now],
  );
  return row ?? { unanswered: 0, firstUnansweredAt: null, firstDueAt: null };
}
