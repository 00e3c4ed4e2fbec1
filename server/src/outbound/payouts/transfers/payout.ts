import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { FailureReason, PayoutMethod } from '../methods.ts';
import type { BatchFailure, BatchStatus, LineState, PayoutStatus } from '../states.ts';

/** What a batch comes to in one currency. */
export interface BatchTotal {
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: string;
  readonly payoutCount: number;
}

export interface BatchRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly projectIds: readonly string[];
  readonly method: PayoutMethod;
  readonly currency: string | null;
  readonly cutoffAt: Instant | null;
  readonly status: BatchStatus;
  readonly totals: readonly BatchTotal[];
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly approvedBy: string | null;
  readonly approvedAt: Instant | null;
  readonly submittedAt: Instant | null;
  readonly cancelledAt: Instant | null;
  readonly failureReason: BatchFailure | null;
}

export interface StatusMove {
  readonly from: PayoutStatus;
  readonly to: PayoutStatus;
  readonly now: Instant;
}

/** How a payout ended, or stands, as whoever sends the money tells it. */
export interface Standing {
  readonly status: PayoutStatus;
  readonly providerReference: string | null;
  readonly failureReason: FailureReason | null;
  readonly failureMessage: string | null;
  readonly paidAt: Instant | null;
}

export type CancelReason =
  | 'below_minimum'
  | 'above_maximum'
  | 'partner_suspended'
  | 'details_unusable';

/** One transfer: the header of its parts. Its times are real. */
export interface PayoutRow extends Standing {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly batchId: string;
  readonly method: PayoutMethod;
  readonly payee: string;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly projectIds: readonly string[];
  readonly amountMinor: bigint;
  readonly isApplied: boolean;
  readonly attempt: number;
  readonly isSent: boolean;
  /** When the first order under the present key went out. */
  readonly sentAt: Instant | null;
  /** What it was ordered through, and the payee's details that it went to. */
  readonly connectionId: string | null;
  readonly detailsId: string | null;
  /** Why it did not arrive, as a webhook of the provider's has called it. */
  readonly failureCode: string | null;
  /** Since when nobody could say what became of it. */
  readonly unansweredSince: Instant | null;
  /** Why the approval gave it up. */
  readonly cancelReason: CancelReason | null;
  readonly tries: number;
  readonly dueAt: Instant | null;
  readonly leaseId: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What one Project has to do with a transfer. Its times are the Project's. */
export interface PartRow extends Standing {
  readonly projectId: string;
  readonly payoutId: string;
  readonly number: number;
  readonly batchId: string;
  readonly participantId: string;
  readonly method: PayoutMethod;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: bigint;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface LineRow {
  readonly payoutId: string;
  readonly rewardId: string;
  readonly amountMinor: bigint;
  readonly state: LineState;
}
