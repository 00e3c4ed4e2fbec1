import type { Database } from '../../db/database.ts';
import type { ProjectWriter } from '../../feed/writer.ts';
import type { Clock } from '../../kit/clock.ts';
import type { NewId } from '../../kit/ids.ts';
import type { Keyring } from '../../kit/keyring.ts';
import type { OnBilled } from '../../participants/participant-deps.ts';

/** What it takes to handle what Stripe tells. */
export interface StripeDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly onBilled: OnBilled;
  /** Told why an event could not be handled that is tried again later. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

export interface StripeRouteDeps extends StripeDeps {
  readonly baseUrl: string;
}
