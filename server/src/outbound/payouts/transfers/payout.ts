import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { FailureReason, PayoutMethod } from '../methods.ts';
import type { BatchFailure, BatchStatus, LineState, PayoutStatus } from '../states.ts';

/** The total of a batch in one currency. */
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

/** The state or outcome of a payout, as last reported. */
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
  /** When the first order under the present key was sent. */
  readonly sentAt: Instant | null;
  /** The connection that ordered it, and the payee's details that it went to. */
  readonly connectionId: string | null;
  readonly detailsId: string | null;
  /** The provider's code for why it did not arrive, from a webhook. */
  readonly failureCode: string | null;
  /** Since when its outcome has been unknown. */
  readonly unansweredSince: Instant | null;
  /** Why the approval cancelled it. */
  readonly cancelReason: CancelReason | null;
  readonly tries: number;
  readonly dueAt: Instant | null;
  readonly leaseId: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One project's part in a transfer. Its times are the project's. */
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
