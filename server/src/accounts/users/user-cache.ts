import type { Clock } from '../../platform/kit/clock.ts';
import type { SessionRow } from './store.ts';

/** Whatever changes for a user acts on the other processes within this time. */
const CACHE_MS = 1_000;
const ENTRIES_MAX = 10_000;

/** What each process remembers of who is signed in, so that a call need not ask the database. */
export class UserCache {
  readonly #clock: Clock;
  /** Rises with every change, so that what was read before one is not remembered after it. */
  #changes = 0;
  readonly #sessions = new Map<string, { value: SessionRow; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async session(
    tokenHash: string,
    load: () => Promise<SessionRow | undefined>,
  ): Promise<SessionRow | undefined> {
    const known = this.#sessions.get(tokenHash);
    const nowMs = this.#clock.nowMs();
    if (known && nowMs < known.untilMs) return known.value;
    const changesBefore = this.#changes;
    const value = await load();
    this.#sessions.delete(tokenHash);
    if (value !== undefined && changesBefore === this.#changes) {
      this.#sessions.set(tokenHash, { value, untilMs: nowMs + CACHE_MS });
      if (this.#sessions.size > ENTRIES_MAX) {
        this.#sessions.delete(this.#sessions.keys().next().value as string);
      }
    }
    return value;
  }

  forgetUser(userId: string): void {
    this.#forget(({ user }) => user.id === userId);
  }

  forgetWorkspace(workspaceId: string): void {
    this.#forget(({ memberships }) => memberships.some((one) => one.workspaceId === workspaceId));
  }

  #forget(isConcerned: (session: SessionRow) => boolean): void {
    this.#changes += 1;
    for (const [tokenHash, { value }] of this.#sessions) {
      if (isConcerned(value)) this.#sessions.delete(tokenHash);
    }
  }
}
