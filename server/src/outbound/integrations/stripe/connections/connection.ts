import type { Instant } from '../../../../platform/kit/instant.ts';

export const CONNECTION_STATUSES = ['active', 'disabled'] as const;
type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export interface SealedSecret {
  readonly sealed: string;
  /** When a newer secret replaced it; null for the current one. */
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
  /** Newest first; empty until Stripe has created one for our URL. */
  readonly webhookSecrets: readonly SealedSecret[];
  /** The source of the facts that it reports. */
  readonly sourceId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Identifies a connection; its secrets are sealed for it. */
export type ConnectionName = Pick<ConnectionRow, 'projectId' | 'id'>;
