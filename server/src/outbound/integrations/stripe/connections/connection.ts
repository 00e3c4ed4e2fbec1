import type { Instant } from '../../../../platform/kit/instant.ts';

export const CONNECTION_STATUSES = ['active', 'disabled'] as const;
type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export interface SealedSecret {
  readonly sealed: string;
  /** When a newer one took its place; null for the current one. */
  readonly rotatedAt: Instant | null;
}

/** A Project's own Stripe account. */
export interface ConnectionRow {
  readonly projectId: string;
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly livemode: boolean;
  readonly sealedKey: string;
  readonly keyLast4: string;
  /** Newest first; none until Stripe has made one for our URL. */
  readonly webhookSecrets: readonly SealedSecret[];
  /** The source of the facts that it tells. */
  readonly sourceId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What tells one connection from another, and what its secrets are sealed for. */
export type ConnectionName = Pick<ConnectionRow, 'projectId' | 'id'>;
