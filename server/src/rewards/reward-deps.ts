import type { Database } from '../db/database.ts';
import type { Clock } from '../kit/clock.ts';

export interface RewardDeps {
  readonly database: Database;
  readonly clock: Clock;
}
