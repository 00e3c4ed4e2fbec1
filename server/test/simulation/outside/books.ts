import type { VirtualServer } from './virtual-network.ts';

/** What may become of a transfer that a provider has accepted. */
export const TRANSFER_ENDS = ['sent', 'cancelled', 'refunded'] as const;
export type TransferEnd = (typeof TRANSFER_ENDS)[number];

export type BookedMethod = 'wise' | 'paypal' | 'stripe_connect';

/** A transfer as the provider has it, whatever the service knows. */
export interface Booked {
  readonly method: BookedMethod;
  readonly reference: string;
  /** What the provider has kept of the key of the order. */
  readonly mark: string;
  /** The account that it goes to. */
  readonly account: string;
  readonly amountMinor: bigint;
  readonly madeAt: string;
  /** How often its amount has left the balance. */
  readonly taken: number;
  /** Whether its money has left, and has not come back. */
  readonly hasArrived: boolean;
}

/** A provider and its books, which no crash and no restore of the service touches. */
export interface Books {
  /** Makes a coming call go wrong. */
  fault(number: number): void;
  heal(): void;
  /**
   * Of the transfers that can end so, the n-th does; the first `forgotten` ones do not come back. Returns whether there was
   * one.
   */
  end(nth: number, to: TransferEnd, forgotten: number): boolean;
  /** Everything under way arrives. */
  sendAll(): void;
  /** Oldest first. */
  list(): Booked[];
  markOf(key: string): string;
}

/** Of a provider that is called by `fetch`. */
export interface WebBooks extends Books {
  readonly origin: string;
  readonly answer: VirtualServer;
}
