import type { Database } from '../../../platform/db/database.ts';
import type { ApiVersions } from '../../../platform/feed/api-versions.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { Reach } from '../sender/resolve-host.ts';
import type { Sender } from '../sender/send-request.ts';

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
