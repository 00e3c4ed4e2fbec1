import type { Database } from '../../platform/db/database.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';

export interface RiskDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
}
