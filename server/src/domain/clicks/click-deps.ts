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
  /** Visits of links from one address that are counted; more are still led on. */
  readonly linkVisitsPerMinute: number;
  /** What broke while somebody followed a link; they are only told that it did. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}
