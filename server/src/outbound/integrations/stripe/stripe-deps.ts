import type { OnBilled } from '../../../domain/participants/write-participants.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { WriteDeps } from '../../payouts/payout-deps.ts';

export interface StripeDeps extends WriteDeps {
  readonly keyring: Keyring;
  readonly onBilled: OnBilled;
  /** Called with the reason when an event could not be handled and will be retried. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

export interface StripeRouteDeps extends StripeDeps {
  readonly baseUrl: string;
}
