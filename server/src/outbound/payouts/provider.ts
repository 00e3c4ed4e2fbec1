import type { Tx } from '../../platform/db/database.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Details } from './details/details.ts';
import type { FailureReason, PayoutMethod, ProviderMethod } from './methods.ts';

/** A transfer to be made. */
export interface TransferOrder {
  readonly payoutId: string;
  /**
   * What the provider must know the transfer by: of two orders under one key it carries out one.
   * At most 64 characters of letters, digits, `_` and `-`.
   */
  readonly key: string;
  /** When an order under this key first went out, if one has: the transfer may be there already. */
  readonly sentAt: Instant | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
  /** Null if they are gone since the first order: then no other is made, but what there is goes on. */
  readonly details: Details | null;
  /** As the Project knows the payee, or a Partner itself, if anybody does. */
  readonly payeeName: string | null;
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

export type SubmitAnswer = (
  | TransferState
  /** Certainly not made, and worth another try: too many calls, or no money to send yet. */
  | ({ readonly state: 'refused' } & Failure)
  /** It may have been made, or not: no answer in time, a broken connection, a fault of theirs. */
  | { readonly state: 'unknown' }
) & {
  /** What went wrong on the way to this answer, for the log. */
  readonly problem?: unknown;
};

export type FindAnswer =
  | TransferState
  /** The provider is certain that it has no transfer under this key, and will not make one. */
  | { readonly state: 'none' }
  /**
   * It cannot be asked by a key, but of orders under one it carries out the first only, and tells of
   * that one when it gets another: ordering again is the way to ask.
   */
  | { readonly state: 'ask_by_order' }
  | { readonly state: 'unknown' };

/** What is needed to ask about a transfer. */
export interface TransferRef {
  readonly payoutId: string;
  readonly key: string;
  /** When it was first ordered. */
  readonly sentAt: Instant;
  /** As the provider gave it, if it has. */
  readonly reference: string | null;
  /** Why it did not arrive, as a webhook of the provider's has called it, if one has. */
  readonly failureCode: string | null;
}

/** What a provider has in its books of a transfer, for whoever compares. */
export interface TransferReport {
  readonly state: TransferState['state'] | 'none' | 'unknown';
  /** In minor units of ISO 4217; null if there is no transfer, or nobody can say. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
}

/**
 * Whoever sends money, from one account. Answers for what it can say and throws nothing that it can foresee; what it
 * does throw counts as unknown. See test/payout-conformance.ts for what each must do.
 */
export interface PayoutProvider {
  readonly method: ProviderMethod;
  /** The account that the money comes from: only there can a transfer be asked for. */
  readonly connectionId: string;
  submit(order: TransferOrder): Promise<SubmitAnswer>;
  find(transfer: TransferRef): Promise<FindAnswer>;
  report(transfer: TransferRef): Promise<TransferReport>;
}

/**
 * Whether an account is still connected, which it then stays until the transaction ends: an order
 * through one that is not could never be asked for.
 */
export type HoldConnection = (tx: Tx, connectionId: string) => Promise<boolean>;

/** The account that a Workspace pays from by a method; null if it has connected none. */
export type FindProvider = (place: {
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly method: PayoutMethod;
}) => Promise<PayoutProvider | null>;
