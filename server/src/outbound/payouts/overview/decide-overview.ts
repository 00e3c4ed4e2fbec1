import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { groupPayees, keyOfPayee, type Owed, payeeOf } from '../batches/group-payees.ts';

/** Why something that is owed in cash is not payable here, in the order in which they are checked. */
export const WAITING_REASONS = [
  'other_delivery_method',
  'suspended',
  'under_review',
  'on_hold',
  'debt',
  'awaiting_payout_details',
  'account_not_connected',
  'below_minimum',
  'above_maximum',
] as const;
type WaitingReason = (typeof WAITING_REASONS)[number];

/** What is owed to one person in one currency: available or held, and by which delivery method. */
export interface OwedCash extends Owed {
  /** False if the delivery method is not `payout`: the product or the team pays it. */
  readonly isPaidHere: boolean;
  readonly isSuspended: boolean;
  /** When the first of it becomes available; null if all of it is. */
  readonly heldUntil: Instant | null;
  /** Whether it waits for the decision about a referral. */
  readonly isUnderReview: boolean;
  /** Whether it waits for the end of a dispute. */
  readonly isDisputed: boolean;
}

export interface Sum {
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: bigint;
  readonly peopleCount: number;
}

interface WaitingPerson {
  readonly participantId: string;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: bigint;
}

export interface WaitingGroup {
  readonly reason: WaitingReason;
  readonly sums: readonly Sum[];
  readonly peopleCount: number;
  /** When the first of it becomes available; null for other reasons than a hold. */
  readonly nextAt: Instant | null;
  /** The largest amounts, or debts, first, at most `PEOPLE_SHOWN`. */
  readonly people: readonly WaitingPerson[];
}

export const PEOPLE_SHOWN = 50;

/** What a batch would pay now, and what it would leave out for which reason. */
export function decideOverview(
  owed: readonly OwedCash[],
  minimumOf: (currency: string) => bigint,
): { readonly payable: Sum[]; readonly waiting: WaitingGroup[] } {
  const early = owed.map((one) => ({ one, reason: earlyReason(one) }));
  const due = early.flatMap(({ one, reason }) => (reason === null ? [one] : []));
  const { debts, credits } = splitDebts(due);
  const connected = credits.filter(({ details }) => details !== 'of_other_method');
  const { payable, waiting } = groupPayees(connected, minimumOf);
  const all = [
    ...early.flatMap(({ one, reason }) => (reason ? [{ one, reason }] : [])),
    ...debts.map((one) => ({ one, reason: 'debt' as const })),
    ...credits.flatMap((one) =>
      one.details === 'of_other_method' ? [{ one, reason: 'account_not_connected' as const }] : [],
    ),
    ...waiting.map(({ owed: one, reason }) => ({ one: one as OwedCash, reason })),
  ];
  const byReason = groupBy(all, ({ reason }) => reason);
  return {
    payable: sumsOf(payable.flatMap(({ members }) => members)),
    waiting: WAITING_REASONS.flatMap((reason) => {
      const rows = byReason.get(reason)?.map(({ one }) => one) ?? [];
      return rows.length === 0 ? [] : [groupOf(reason, rows)];
    }),
  };
}

/** The reasons that need no sum over the payee's projects. */
function earlyReason(one: OwedCash): WaitingReason | null {
  if (!one.isPaidHere) return 'other_delivery_method';
  if (one.isSuspended) return 'suspended';
  if (one.isUnderReview) return 'under_review';
  return one.heldUntil === null && !one.isDisputed ? null : 'on_hold';
}

/** Payees who were paid more than they have earned since, in one currency, and all others. */
function splitDebts(due: readonly OwedCash[]): { debts: OwedCash[]; credits: OwedCash[] } {
  const groups = [...groupBy(due, (one) => keyOfPayee(payeeOf(one), one.currency)).values()];
  const isDebt = (rows: readonly OwedCash[]) =>
    rows.reduce((sum, { dueMinor }) => sum + dueMinor, 0n) < 0n;
  return {
    debts: groups.filter(isDebt).flat(),
    credits: groups.filter((rows) => !isDebt(rows)).flat(),
  };
}

function groupOf(reason: WaitingReason, rows: readonly OwedCash[]): WaitingGroup {
  const times = rows.flatMap((one) => (one.isDisputed ? [] : (one.heldUntil ?? []))).sort();
  const sizeOf = ({ dueMinor }: OwedCash) => (reason === 'debt' ? -dueMinor : dueMinor);
  return {
    reason,
    sums: sumsOf(rows),
    peopleCount: countPeople(rows),
    nextAt: reason === 'on_hold' ? (times[0] ?? null) : null,
    people: [...rows]
      .sort((a, b) => compare(sizeOf(b), sizeOf(a)) || compare(a.participantId, b.participantId))
      .slice(0, PEOPLE_SHOWN)
      .map(({ participantId, currency, currencyExponent, dueMinor }) => ({
        participantId,
        currency,
        currencyExponent,
        amountMinor: dueMinor,
      })),
  };
}

const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const countPeople = (rows: readonly Owed[]): number =>
  new Set(rows.map(({ participantId }) => participantId)).size;

function sumsOf(rows: readonly Owed[]): Sum[] {
  return [...groupBy(rows, ({ currency }) => currency)]
    .sort(([a], [b]) => compare(a, b))
    .map(([currency, mine]) => ({
      currency,
      currencyExponent: mine[0]?.currencyExponent ?? 0,
      amountMinor: mine.reduce((sum, { dueMinor }) => sum + dueMinor, 0n),
      peopleCount: countPeople(mine),
    }));
}
