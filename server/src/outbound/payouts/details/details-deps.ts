import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';

/** A provider at which payees have accounts of their own, which they finish on its pages. */
export interface PayeeOnboarding {
  isConnected(project: ProjectRef): Promise<boolean>;
  /** The payee's account, made if there is none yet and the same each time, and where to finish it. */
  begin(project: ProjectRef, participantId: string): Promise<OnboardedPayee>;
  /** The like for an account that the participant has saved; null if they have not. */
  resume(project: ProjectRef, participantId: string): Promise<OnboardedPayee | null>;
}

export interface OnboardedPayee {
  readonly accountId: string;
  /** Null once there is nothing left to finish. */
  readonly onboardingUrl: string | null;
  /** Whether anything can be paid to it yet. */
  readonly isReady: boolean;
}

export interface DetailsDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  /** Null where no provider takes payees. */
  readonly payeeOnboarding: PayeeOnboarding | null;
}
