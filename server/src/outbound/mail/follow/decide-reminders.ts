/** Why somebody is not reminded, in the order in which they are checked. */
export const SKIP_REASONS = [
  'not_waiting',
  'reminded_lately',
  'no_address',
  'unusable_address',
  'unsubscribed',
  'bounced_before',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Somebody with unpaid cash and no payout details. */
export interface Payee {
  readonly participantId: string;
  readonly programId: string;
  readonly wasRemindedLately: boolean;
  readonly hasAddress: boolean;
  /** Whether the address is a mailbox. */
  readonly isMailable: boolean;
  readonly hasOptedOut: boolean;
  readonly hasBounced: boolean;
}

export interface ReminderPlan {
  readonly chosen: readonly Payee[];
  readonly skipped: readonly { readonly participantId: string; readonly reason: SkipReason }[];
  /** Whether there are more people than are reminded at once. */
  readonly isMore: boolean;
}

/** Who is reminded, and who is left out for which reason. `asked` are the people who were named, null for all. */
export function decideReminders(
  payees: readonly Payee[],
  asked: readonly string[] | null,
  limit: number,
): ReminderPlan {
  const reasons = new Map(payees.map((payee) => [payee.participantId, reasonOf(payee)]));
  const open = payees.filter(({ participantId }) => reasons.get(participantId) === null);
  const named = asked ?? payees.map(({ participantId }) => participantId);
  return {
    chosen: open.slice(0, limit),
    skipped: named.flatMap((participantId) => {
      const found = reasons.get(participantId);
      const reason = found === undefined ? 'not_waiting' : found;
      return reason === null ? [] : [{ participantId, reason }];
    }),
    isMore: open.length > limit,
  };
}

function reasonOf(payee: Payee): SkipReason | null {
  if (payee.wasRemindedLately) return 'reminded_lately';
  if (!payee.hasAddress) return 'no_address';
  if (!payee.isMailable) return 'unusable_address';
  if (payee.hasOptedOut) return 'unsubscribed';
  return payee.hasBounced ? 'bounced_before' : null;
}

type Skipped = ReminderPlan['skipped'];

/** How many of those who are left out are named: without a limit, the answer would grow with the Project. */
export const SKIPPED_MAX = 100;

/** Those who are left out: the first of them by name, and all of them as numbers. */
export function summarizeSkipped(skipped: Skipped) {
  const counts = new Map<SkipReason, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    skipped: skipped.slice(0, SKIPPED_MAX),
    skippedCount: skipped.length,
    skippedReasons: SKIP_REASONS.flatMap((reason) => {
      const count = counts.get(reason);
      return count === undefined ? [] : [{ reason, count }];
    }),
  };
}
