import type { Clock } from '../../platform/kit/clock.ts';
import { ReadThroughCache } from '../../platform/kit/read-through-cache.ts';
import type { SessionRow } from './store.ts';

/** Changes of a user take effect in the other processes within this time. */
const CACHE_MS = 1_000;

/** Each process's cache of signed-in users. */
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
