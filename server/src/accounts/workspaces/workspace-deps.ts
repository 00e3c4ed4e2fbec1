import type { Database, Tx } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { KeyCache } from './api-keys/identities.ts';

export interface WorkspaceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly cache: KeyCache;
  /** Makes a user the owner of a new Workspace. */
  readonly addOwner: (tx: Tx, workspaceId: string, userId: string, now: Instant) => void;
  /** Called after a user's Workspaces changed. */
  readonly forgetUser: (userId: string) => void;
}
