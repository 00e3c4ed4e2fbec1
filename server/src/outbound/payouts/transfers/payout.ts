import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { FailureReason, PayoutMethod } from '../methods.ts';
import type { PayoutBatch } from '../schema.ts';
import type { LineState, PayoutStatus } from '../states.ts';

export type ProjectPlace = Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>;

export type BatchTotal = PayoutBatch['totals'][number];

export interface BatchRow
  extends Readonly<Omit<PayoutBatch, 'projectIds' | 'totals'>>,
    Omit<ProjectPlace, 'id'> {
  readonly projectIds: readonly string[];
  readonly totals: readonly BatchTotal[];
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

/** What a transfer and its parts have in common. */
interface Sent extends Standing {
  readonly batchId: string;
  readonly method: PayoutMethod;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: bigint;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One transfer: the header of its parts. Its times are real. */
export interface PayoutRow extends Sent, ProjectPlace {
  readonly payee: string;
  readonly projectIds: readonly string[];
  readonly isApplied: boolean;
  /** The part that was paid in advance: the transfer is smaller by it. */
  readonly coveredMinor: bigint;
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
}

/** What is still to be sent. */
export function transferMinorOf({
  amountMinor,
  coveredMinor,
}: Pick<PayoutRow, 'amountMinor' | 'coveredMinor'>): bigint {
  return amountMinor - coveredMinor;
}

/** Whether all of a payout was paid in advance. */
export function isCovered(payout: Pick<PayoutRow, 'amountMinor' | 'coveredMinor'>): boolean {
  return payout.coveredMinor > 0n && transferMinorOf(payout) === 0n;
}

/** One project's part in a transfer. Its times are the project's. */
export interface PartRow extends Sent {
  readonly projectId: string;
  readonly payoutId: string;
  readonly number: number;
  readonly participantId: string;
}

export interface LineRow {
  readonly payoutId: string;
  readonly rewardId: string;
  readonly amountMinor: bigint;
  readonly state: LineState;
}

/** A provider's hint that there is news about a transfer. */
export interface TransferHint {
  readonly connectionId: string;
  /** The payout's id, if the provider knows it; null if it only has its own names. */
  readonly payoutId: string | null;
  readonly reference: string | null;
  readonly failureCode: string | null;
}
