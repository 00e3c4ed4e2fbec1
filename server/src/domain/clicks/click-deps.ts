import type { Database } from '../../platform/db/database.ts';
import type { Identities } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { ClickCounter } from './links/click-counter.ts';

export interface ClickDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly clicksPerMinute: number;
}

export interface LinkPageDeps extends Pick<ClickDeps, 'database' | 'clock' | 'keyring'> {
  readonly identities: Pick<Identities, 'findProjectByKey'>;
  readonly counter: ClickCounter;
  /** Limit of counted link visits per address; further visits are still redirected. */
  readonly linkVisitsPerMinute: number;
  /** Reports an error while following a link; the visitor only sees that it failed. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}
