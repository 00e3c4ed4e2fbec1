import type { Database } from '../db/database.ts';
import type { ApiVersions } from '../feed/api-versions.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Clock } from '../kit/clock.ts';
import type { NewId } from '../kit/ids.ts';
import type { Keyring } from '../kit/keyring.ts';
import type { Reach } from './resolve-host.ts';
import type { Sender } from './send-request.ts';

/** What the operations on endpoints need. */
export interface EndpointDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly apiVersions: ApiVersions;
  readonly reach: Reach;
  readonly sender: Sender;
}
