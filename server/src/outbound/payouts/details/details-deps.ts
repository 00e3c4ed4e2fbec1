import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';

/** A provider at which payees have their own accounts, completed on its pages. */
export interface PayeeOnboarding {
  isConnected(project: ProjectRef): Promise<boolean>;
  /**
   * The payee's account and the URL to complete it. Creates the account if there is none; repeats
   * return the same one.
   */
  begin(project: ProjectRef, participantId: string): Promise<OnboardedPayee>;
  /** The same for the account that the participant has saved; null if there is none. */
  resume(project: ProjectRef, participantId: string): Promise<OnboardedPayee | null>;
}

export interface OnboardedPayee {
  readonly accountId: string;
  /** Null once nothing is left to complete. */
  readonly onboardingUrl: string | null;
  /** Whether it can be paid to yet. */
  readonly isReady: boolean;
}

export interface DetailsDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  /** Null if no provider has payee accounts. */
  readonly payeeOnboarding: PayeeOnboarding | null;
}
