import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProviderMethod } from '../methods.ts';

export const ADVANCE_STATUSES = ['counted', 'dismissed'] as const;
type AdvanceStatus = (typeof ADVANCE_STATUSES)[number];

/**
 * A transfer that a provider made and for which the store has no payout: its payee was paid in
 * advance, and later payouts to them are smaller by it. All times are real.
 */
export interface AdvanceRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly restoreId: string;
  readonly connectionId: string;
  readonly method: ProviderMethod;
  readonly reference: string;
  readonly payoutId: string | null;
  /** A partner, or a participant of one project; null if only the account is known. */
  readonly payee: string | null;
  readonly fingerprint: string | null;
  readonly label: string | null;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: bigint;
  readonly madeAt: Instant;
  readonly status: AdvanceStatus;
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** With what no open or paid payout uses. Negative after a used one was dismissed. */
export interface AdvanceBalance extends AdvanceRow {
  readonly leftMinor: bigint;
}

export interface AdvanceUse {
  readonly advanceId: string;
  readonly payoutId: string;
  readonly amountMinor: bigint;
}
