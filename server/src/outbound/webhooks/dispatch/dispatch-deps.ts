import type { Database } from '../../../platform/db/database.ts';
import type { RenderDeps } from '../../../platform/feed/render-event.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { Identities } from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { Sender } from '../sender/send-request.ts';

export interface DispatchDeps extends RenderDeps {
  readonly database: Database;
  readonly writer: ProjectWriter;
  readonly findProject: Identities['findProject'];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly sender: Sender;
  readonly onFailure: (error: unknown) => void;
  readonly onAttempt?: (attempt: { outcome: string; latencyMs: number }) => void;
}
