import type { Database } from '../db/database.ts';
import type { Identities } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import type { NewId } from '../kit/ids.ts';
import type { Keyring } from '../kit/keyring.ts';
import type { ClickCounter } from './click-counter.ts';

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
