// What is known of a Project while its facts are read.

import { Clicks } from './clicks.ts';
import type { Accepted, EnrollmentFacts, Fact, ProgramFacts } from './facts.ts';
import { type Asked, type Bound, measureOf } from './measures.ts';
import type { Bought } from './purchases.ts';
import type { Made } from './rewards.ts';

/**
 * Why a rule has given what it gave. "Undoing a refund earns only what the refund had prevented": `refunded` and what
 * depends on a measure are judged again, and nothing else.
 */
export type Verdict = 'denied' | 'refunded' | 'judged' | 'measured';

export class State {
  readonly #programs: readonly ProgramFacts[];
  readonly #enrollments: readonly EnrollmentFacts[];
  readonly clicks: Clicks;
  /** By referee. */
  readonly referrals = new Map<string, Bound>();
  /** What members of loyalty programs do, by program and person. */
  readonly members = new Map<string, Bound>();
  readonly identified = new Map<string, boolean>();
  readonly signedUp = new Set<string>();
  /** Signups whose referral a subscription decides. */
  readonly promised = new Map<string, Fact & { kind: 'signup' }>();
  /** Who has signed a group up. */
  readonly creators = new Map<string, string>();
  readonly erased = new Set<string>();
  readonly suspended = new Set<string>();
  /** Who would have been referred, if the partner had not been suspended whose code they typed. */
  readonly turnedAway = new Set<string>();
  readonly purchases = new Map<string, Bought>();
  /** Purchases of an invoice that was there already, and the first one of it. */
  readonly duplicates = new Map<string, Bought>();
  readonly rewards = new Map<string, Made>();
  /** Of each purchase, by rule. */
  readonly verdicts = new Map<Bought, Map<string, Verdict>>();

  constructor({ programs, enrollments }: Accepted) {
    this.#programs = programs;
    this.#enrollments = enrollments;
    this.clicks = new Clicks(programs);
  }

  /** What somebody has brought by now. */
  measure(asked: Omit<Asked, 'before'>): bigint {
    const before = this.program(asked.program).starts.get(asked.beneficiary) ?? null;
    return measureOf({ ...asked, before }, [...this.referrals.values(), ...this.members.values()]);
  }

  measureNow(asked: Pick<Asked, 'measure' | 'program' | 'role' | 'beneficiary'>): bigint {
    return this.measure({ ...asked, window: 'all_time', receivedAt: '', own: null });
  }

  program(key: string): ProgramFacts {
    return this.#programs.find((one) => one.key === key) as ProgramFacts;
  }

  get loyaltyPrograms(): readonly ProgramFacts[] {
    return this.#programs.filter(({ isLoyalty }) => isLoyalty);
  }

  /** "Ended enrollment = opted out"; the first event that counts enrolls. */
  hasLeft(person: string, program: string, at: string): boolean {
    const isTheirs = (one: EnrollmentFacts) => one.person === person && one.program === program;
    return this.#enrollments.some(
      (one) => isTheirs(one) && one.endsAt !== null && one.endsAt <= at,
    );
  }

  isEnrolled(person: string, program: string, at: string): boolean {
    return this.#enrollments.some(
      (one) =>
        one.person === person &&
        one.program === program &&
        one.startsAt <= at &&
        (one.endsAt === null || at < one.endsAt),
    );
  }

  /**
   * "Self-referral: referrer is the participant or the actor, or a group that either of them created, or one that shares
   * its creator with the participant group."
   */
  isSelf(referrer: string, person: string, actor: string | null): boolean {
    const own = [person, actor, this.creators.get(person)];
    return own.includes(referrer) || own.includes(this.creators.get(referrer) ?? '');
  }
}

export const statusAt = (program: ProgramFacts, at: string): string =>
  program.statuses.filter(({ from }) => from <= at).at(-1)?.status ?? 'draft';
