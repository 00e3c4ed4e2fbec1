import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import { MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { RewardProvider } from './provider.ts';

export interface RewardDeliveryDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  /** At most one per method. */
  readonly providers: readonly RewardProvider[];
}

/** How long a process holds a delivery exclusively. If it dies, the delivery is due again after that. */
export const LEASE_MS = 5 * MINUTE_MS;
