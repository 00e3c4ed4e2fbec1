import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

export const CHECK_STATUSES = ['asking', 'asked', 'failed', 'cannot_list'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** An account through which money may have gone out since the backup. */
export interface Account {
  readonly connectionId: string;
  /** A payout method, or `stripe_balance`. */
  readonly method: string;
  readonly environment: Environment;
  /** The project whose Stripe account it is; null for one that a workspace pays from. */
  readonly projectId: string | null;
}

/** What was asked of one account since a restore. */
export interface CheckRow extends Account {
  readonly restoreId: string;
  /** Everything since then was asked for. */
  readonly since: Instant;
  readonly status: CheckStatus;
  readonly place: string | null;
  readonly adopted: number;
  readonly message: string | null;
  readonly tries: number;
  readonly askedAt: Instant | null;
  readonly overrideReason: string | null;
  readonly overriddenBy: string | null;
  readonly overriddenAt: Instant | null;
}
