import type { Database } from '../db/database.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Clock } from '../kit/clock.ts';
import type { NewId } from '../kit/ids.ts';

export interface DeliveryDeps {
  readonly database: Database;
  readonly writer: ProjectWriter;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Told when deliveries of a Project were made due: a hint, which may get lost. */
  readonly onDeliveriesDue: (projectId: string) => void;
}
