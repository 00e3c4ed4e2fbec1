import type { Details } from './details.ts';
import type { FailureReason, PayoutMethod } from './methods.ts';

/** A transfer to be made. */
export interface TransferOrder {
  readonly payoutId: string;
  readonly workspaceId: string;
  /**
   * What the provider must know the transfer by: of two orders under one key it carries out one.
   * At most 64 characters of letters, digits, `_` and `-`.
   */
  readonly key: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly details: Details;
}

interface Failure {
  readonly failureReason: FailureReason;
  /** For people; without account numbers. */
  readonly failureMessage: string | null;
}

/** How a transfer has ended; one that is paid may still be returned. */
export type TransferEnd =
  | { readonly state: 'paid'; readonly reference: string | null }
  | ({ readonly state: 'failed' | 'returned'; readonly reference: string | null } & Failure);

/** What the provider says that a transfer has come to. */
export type TransferState =
  | { readonly state: 'processing'; readonly reference: string | null }
  | TransferEnd;

export type SubmitAnswer =
  | TransferState
  /** Certainly not made, and worth another try: too many calls, or no money to send yet. */
  | ({ readonly state: 'refused' } & Failure)
  /** It may have been made, or not: no answer in time, a broken connection, a fault of theirs. */
  | { readonly state: 'unknown' };

export type FindAnswer =
  | TransferState
  /** The provider is certain that it has no transfer under this key, and will not make one. */
  | { readonly state: 'none' }
  | { readonly state: 'unknown' };

/** What is needed to ask about a transfer. */
export interface TransferRef {
  readonly payoutId: string;
  readonly workspaceId: string;
  readonly key: string;
  /** As the provider gave it, if it has. */
  readonly reference: string | null;
}

/**
 * Whoever sends money. Answers for what it can say and throws nothing that it can foresee; what it
 * does throw counts as unknown. See test/payout-conformance.ts for what each must do.
 */
export interface PayoutProvider {
  readonly method: Exclude<PayoutMethod, 'manual_export'>;
  submit(order: TransferOrder): Promise<SubmitAnswer>;
  find(transfer: TransferRef): Promise<FindAnswer>;
}
