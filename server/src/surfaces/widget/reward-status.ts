import { type RewardRow, withDelivery } from '../../domain/rewards/reward.ts';
import type { PayoutDetails } from '../../outbound/payouts/details/details-schema.ts';
import type { Instant } from '../../platform/kit/instant.ts';

export const WIDGET_STATUSES = [
  'on_hold',
  'pending',
  'processing',
  'paid',
  'granted',
  'failed',
  'cancelled',
  'revoked',
] as const;
export type WidgetStatus = (typeof WIDGET_STATUSES)[number];

export const WIDGET_ACTIONS = [
  'add_payout_method',
  'update_payout_method',
  'contact_support',
] as const;
export type WidgetAction = (typeof WIDGET_ACTIONS)[number];

export const HOLD_REASONS = ['waiting_period', 'review'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The status of a reward as shown to its beneficiary. */
export function widgetStatus(row: RewardRow, now: Instant): WidgetStatus {
  const { fulfillmentStatus, benefitKind } = row;
  if (fulfillmentStatus === 'revoked') return 'revoked';
  // Whatever happened before: it is not, or will not remain, theirs.
  if (row.void !== null) return 'cancelled';
  switch (fulfillmentStatus) {
    case 'cancelled':
    case 'revocation_pending':
      return 'cancelled';
    case 'fulfilled':
      return benefitKind === 'cash' ? 'paid' : 'granted';
    case 'in_progress':
      return 'processing';
    case 'failed':
      return 'failed';
    case 'pending':
      return withDelivery(row, now).deliveryStatus === 'on_hold' ? 'on_hold' : 'pending';
  }
}

/** Why it is on hold; null if it is not. */
export function holdReason(
  row: Pick<RewardRow, 'isDisputed' | 'isUnderReview' | 'availableAt'>,
  status: WidgetStatus,
  now: Instant,
): HoldReason | null {
  if (status !== 'on_hold') return null;
  const isHeld = row.isDisputed || row.isUnderReview;
  return isHeld || row.availableAt <= now ? 'review' : 'waiting_period';
}

/** What its beneficiary can do to receive it; null for nothing. */
export function widgetAction(
  row: RewardRow,
  status: WidgetStatus,
  details: PayoutDetails,
): WidgetAction | null {
  if (row.method === 'payout' && isOwed(row)) {
    if (!details.configured) return 'add_payout_method';
    if (details.status === 'needs_update') return 'update_payout_method';
  }
  return status === 'failed' ? 'contact_support' : null;
}

function isOwed(row: RewardRow): boolean {
  const target = row.void === null ? (row.netAmountMinor ?? 0n) : 0n;
  return row.fulfillmentStatus !== 'cancelled' && target > row.paidMinor;
}
