// What somebody has brought, as tiers and milestones measure it: counted anew each time.

import type { Measure, MeasureWindow, ReviewStatus, Role } from './facts.ts';
import { type Bought, paidFor } from './purchases.ts';

const DAY_MS = 86_400_000;

export interface Bound {
  readonly referrer: string;
  readonly referee: string;
  readonly program: string;
  readonly boundAt: string;
  /** Null if nobody was asked about it. */
  review: ReviewStatus | null;
  /** What its referee bought, as far as it was decided. */
  readonly credited: Bought[];
}

export interface Asked {
  readonly measure: Measure;
  readonly window: MeasureWindow;
  readonly program: string;
  readonly role: Role;
  readonly beneficiary: string;
  /** The time of the event for which it is asked, and its referral. */
  readonly receivedAt: string;
  readonly own: Bound | null;
  /** What they had brought before there was this service. */
  readonly before: Readonly<Record<Measure, bigint>> | null;
}

/** "They have no dates: windows do not count them." They are those of a referrer. */
export function measureOf(asked: Asked, referrals: readonly Bound[]): bigint {
  const { measure, window, role, before } = asked;
  const counts = window === 'all_time' && role === 'referrer';
  return (counts ? (before?.[measure] ?? 0n) : 0n) + countOf(asked, referrals);
}

function countOf(asked: Asked, referrals: readonly Bound[]): bigint {
  const { measure, role, program, beneficiary, own } = asked;
  const isInWindow = (at: string) => isIn(asked.window, asked.receivedAt, at);
  // What was rejected counts no more.
  const brought = referrals.filter(
    (one) => one.program === program && one[role] === beneficiary && one.review !== 'rejected',
  );
  if (measure === 'referrals') {
    // The event itself counts, also if it waited for its referral longer than its window lasts.
    const counts = (one: Bound) =>
      isInWindow(one.boundAt) || (one === own && one.boundAt > asked.receivedAt);
    return BigInt(brought.filter(counts).length);
  }
  // Revenue is measured in dollars: other money does not count.
  const left = brought
    .flatMap(({ credited }) => credited)
    .filter(({ currency }) => measure !== 'revenue' || currency === 'USD')
    .filter(({ receivedAt }) => isInWindow(receivedAt))
    .map(paidFor)
    .filter((minor) => minor > 0n);
  return measure === 'purchases' ? BigInt(left.length) : left.reduce((a, b) => a + b, 0n);
}

const dayOf = (at: string) => Math.floor(Date.parse(at) / DAY_MS);

/** Days and months are those of UTC, around the day on which the event was received. */
function isIn(window: MeasureWindow, receivedAt: string, at: string): boolean {
  if (window === 'all_time') return true;
  if (window === 'calendar_month') return at.slice(0, 7) === receivedAt.slice(0, 7);
  const age = dayOf(receivedAt) - dayOf(at);
  return age >= 0 && age < 30;
}
