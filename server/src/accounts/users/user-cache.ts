import type { Clock } from '../../platform/kit/clock.ts';
import { ReadThroughCache } from '../../platform/kit/read-through-cache.ts';
import type { SessionRow } from './store.ts';

/** Whatever changes for a user acts on the other processes within this time. */
const CACHE_MS = 1_000;

/** What each process remembers of who is signed in. */
export class UserCache {
  readonly #sessions: ReadThroughCache<SessionRow>;

  constructor(clock: Clock) {
    this.#sessions = new ReadThroughCache(clock, CACHE_MS);
  }

  session(
    tokenHash: string,
    load: () => Promise<SessionRow | undefined>,
  ): Promise<SessionRow | undefined> {
    return this.#sessions.get(tokenHash, load);
  }

  forgetUser(userId: string): void {
    this.#sessions.forget(({ user }) => user.id === userId);
  }

  forgetWorkspace(workspaceId: string): void {
    this.#sessions.forget(({ memberships }) =>
      memberships.some((one) => one.workspaceId === workspaceId),
    );
  }
}
