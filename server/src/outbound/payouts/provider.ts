import type { Tx } from '../../platform/db/database.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Details } from './details/details.ts';
import type { FailureReason, PayoutMethod, ProviderMethod } from './methods.ts';

export interface TransferOrder {
  readonly payoutId: string;
  /**
   * The provider's idempotency key: of several orders with one key it carries out one. At most 64
   * characters: letters, digits, `_` and `-`.
   */
  readonly key: string;
  /** When the first order under this key was sent; the transfer may exist since then. */
  readonly sentAt: Instant | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
  /**
   * Null if they were removed since the first order: no new transfer is made, but an existing one
   * continues.
   */
  readonly details: Details | null;
  /** The project's name for the payee, or the partner's own name, if known. */
  readonly payeeName: string | null;
}

interface Failure {
  readonly failureReason: FailureReason;
  /** For people; without account numbers. */
  readonly failureMessage: string | null;
}

/** How a transfer has ended; a paid one may still be returned. */
export type TransferEnd =
  | { readonly state: 'paid'; readonly reference: string | null }
  | ({ readonly state: 'failed' | 'returned'; readonly reference: string | null } & Failure);

export type TransferState =
  | { readonly state: 'processing'; readonly reference: string | null }
  | TransferEnd;

export type SubmitAnswer = (
  | TransferState
  /** Certainly not made, but worth a retry: rate limit, or insufficient funds. */
  | ({ readonly state: 'refused' } & Failure)
  /** It may have been made or not: timeout, broken connection, or a provider fault. */
  | { readonly state: 'unknown' }
) & {
  /** The error behind this answer, for the log. */
  readonly problem?: unknown;
};

export type FindAnswer =
  | TransferState
  /** The provider certainly has no transfer under this key and will not make one. */
  | { readonly state: 'none' }
  /**
   * The provider cannot look up a transfer by key. But it carries out only the first order under a
   * key and answers a repeat with that one, so ordering again is the lookup.
   */
  | { readonly state: 'ask_by_order' }
  | { readonly state: 'unknown' };

/** Identifies a transfer for a lookup. */
export interface TransferRef {
  readonly payoutId: string;
  readonly key: string;
  /** When it was first ordered. */
  readonly sentAt: Instant;
  /** The provider's reference, if known. */
  readonly reference: string | null;
  /** The provider's code for why it did not arrive, from a webhook. */
  readonly failureCode: string | null;
}

/** A provider's record of a transfer, for reconciliation. */
export interface TransferReport {
  readonly state: TransferState['state'] | 'none' | 'unknown';
  /** In minor units of ISO 4217; null if there is no transfer, or it is unknown. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
}

/** A transfer in a provider's own list. */
export interface FoundTransfer {
  readonly reference: string;
  /** The provider's name for the key of the order: `markOf(key)`. */
  readonly mark: string;
  /** Null if the provider does not know it. */
  readonly payoutId: string | null;
  readonly state: TransferState['state'];
  /** What reached the payee, or will. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly madeAt: Instant;
  /** Where it went; null if the provider does not show it. */
  readonly account: Details | null;
}

/** One page; `next` is null at the end. */
interface FoundTransfers {
  readonly transfers: readonly FoundTransfer[];
  readonly next: string | null;
}

/** A provider's own list of the transfers that the service ordered through it. */
export interface TransferRecords {
  markOf(key: string): string;
  /**
   * The transfers made at a time or later, page by page. Rejects when they are unknown. Null if the
   * provider has no such list.
   */
  readonly list: ((since: Instant, place: string | null) => Promise<FoundTransfers>) | null;
  /** By the provider's own id; null if the service ordered no such transfer. */
  read(reference: string): Promise<FoundTransfer | null>;
}

/**
 * Sends money from one account. Returns every foreseeable failure as an answer; an exception counts
 * as unknown. See test/payout-conformance.ts for what each provider must do.
 */
export interface PayoutProvider {
  readonly method: ProviderMethod;
  /** The account that pays. A transfer can only be looked up through it. */
  readonly connectionId: string;
  submit(order: TransferOrder): Promise<SubmitAnswer>;
  find(transfer: TransferRef): Promise<FindAnswer>;
  report(transfer: TransferRef): Promise<TransferReport>;
  /** What the service ordered and no longer knows; absent if nobody can say. */
  readonly records?: TransferRecords;
}

/**
 * Whether an account is still connected. If so, it stays connected until the transaction ends: an
 * order through a disconnected account could never be looked up.
 */
export type HoldConnection = (tx: Tx, connectionId: string) => Promise<boolean>;

/** The account that a workspace pays from by a method; null if none is connected. */
export type FindProvider = (place: {
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly method: PayoutMethod;
}) => Promise<PayoutProvider | null>;
