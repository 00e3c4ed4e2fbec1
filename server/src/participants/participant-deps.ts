import type { Database } from '../db/database.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Keyring } from '../kit/keyring.ts';

export interface ParticipantDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly keyring: Keyring;
  /** Where shared links lead, without a slash at its end. */
  readonly baseUrl: string;
}
