import type { OidcSettings } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { ReadThroughCache } from '../../platform/kit/read-through-cache.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { PasswordCost } from './sign-in/passwords.ts';
import type { SessionRow } from './store.ts';

export interface SignInSettings {
  readonly baseUrl: string;
  /** False only for trials on one's own machine. */
  readonly requiresTotp: boolean;
  readonly oidc: OidcSettings | null;
  /** Attempts for each address; a right password does not count. */
  readonly signInsPerMinute: number;
  /** Lower than the default only in tests. */
  readonly passwordCost?: PasswordCost;
}

export interface UserDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly userCache: UserCache;
  readonly settings: SignInSettings;
  /** Null without SMTP. */
  readonly mailer: Mailer | null;
  /** Reports internal errors that no response shows. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Changes of a user take effect in the other processes within this time. */
const CACHE_MS = 1_000;

/** Each process's cache of signed-in users. */
export class UserCache {
  readonly sessions: ReadThroughCache<SessionRow>;

  constructor(clock: Clock) {
    this.sessions = new ReadThroughCache(clock, CACHE_MS);
  }

  forgetUser(userId: string): void {
    this.sessions.forget(({ user }) => user.id === userId);
  }

  forgetWorkspace(workspaceId: string): void {
    this.sessions.forget(({ memberships }) =>
      memberships.some((one) => one.workspaceId === workspaceId),
    );
  }
}
