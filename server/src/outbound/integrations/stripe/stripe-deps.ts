import type { OnBilled } from '../../../domain/participants/participant-deps.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';

export interface StripeDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly onBilled: OnBilled;
  /** Called with the reason when an event could not be handled and will be retried. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

export interface StripeRouteDeps extends StripeDeps {
  readonly baseUrl: string;
}
