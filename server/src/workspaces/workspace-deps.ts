import type { Database } from '../db/database.ts';
import type { Clock } from '../kit/clock.ts';
import { AppError } from '../kit/errors.ts';
import type { NewId } from '../kit/ids.ts';
import type { Keyring } from '../kit/keyring.ts';
import type { KeyCache } from './identities.ts';

export interface WorkspaceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly cache: KeyCache;
}

export function noSuch(what: string): AppError {
  return new AppError('NOT_FOUND', `No such ${what}.`);
}
