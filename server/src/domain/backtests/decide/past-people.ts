import type { Instant } from '../../../platform/kit/instant.ts';
import type { KnownPerson } from '../../participants/participant-slice.ts';
import type { Participant } from '../../participants/schema.ts';
import type { PaidAccount, RiskBook, RiskProfile, RiskSlice } from '../../risk/risk-slice.ts';
import type { EnrollmentSpan, Touch } from '../../tracking/batch/facts.ts';
import type { Source } from '../../tracking/schema.ts';
import type { PastPerson, PastTouch } from './history.ts';

const NO_TOUCHES: readonly PastTouch[] = [];
const NO_SPANS: readonly EnrollmentSpan[] = [];

/** What is the same in every world: who there is, where they take part, and what they clicked. */
export class PastPeople {
  readonly people = new Map<string, KnownPerson>();
  readonly sources: ReadonlyMap<string, Source>;
  /** What events are judged by that nobody has judged yet: as it is known now, not at their time. */
  readonly risk: Pick<RiskSlice, 'book'> & {
    readonly profiles: Map<string, RiskProfile>;
    readonly accounts: Map<string, PaidAccount>;
  };
  readonly #enrollments = new Map<string, readonly EnrollmentSpan[]>();
  readonly #loyaltyPrograms: ReadonlySet<string>;
  /** Of the people of the current page who sign up or start a subscription. */
  #touches = new Map<string, readonly PastTouch[]>();

  constructor(
    sources: ReadonlyMap<string, Source>,
    loyaltyPrograms: ReadonlySet<string>,
    riskBook: RiskBook,
  ) {
    this.risk = { book: riskBook, profiles: new Map(), accounts: new Map() };
    this.sources = new Map(
      [...sources].map(([id, source]) => [id, { ...source, enabled: true }] as const),
    );
    this.#loyaltyPrograms = loyaltyPrograms;
  }

  has(id: string): boolean {
    return this.people.has(id);
  }

  /** Somebody who was not seen before. They are there, until `erase`. */
  add(person: PastPerson): void {
    const { id, kind, externalId, createdAt, isReferrer, isReferee, enrollments } = person;
    const { profile, account } = person;
    // Each field by its name: what is left of an object takes five times the memory.
    this.people.set(id, {
      id,
      kind,
      externalId,
      createdAt,
      deletedAt: null,
      suspendedAt: null,
      isReferrer,
      isReferee,
    });
    if (enrollments.length > 0) this.#enrollments.set(id, enrollments);
    if (profile) this.risk.profiles.set(id, profile);
    if (account) this.risk.accounts.set(id, account);
  }

  erase(id: string, at: Instant): void {
    this.#change(id, { deletedAt: at });
  }

  suspend(id: string, at: Instant): void {
    this.#change(id, { suspendedAt: at });
  }

  #change(id: string, changes: Partial<KnownPerson>): void {
    const known = this.people.get(id);
    if (known) this.people.set(id, { ...known, ...changes });
  }

  setTouches(touches: Map<string, readonly PastTouch[]>): void {
    this.#touches = touches;
  }

  /** The clicks of somebody that were known to be theirs at this time. */
  touchesOf(id: string, now: Instant): readonly Touch[] {
    const touches = this.#touches.get(id);
    return touches ? touches.filter(({ knownAt }) => knownAt <= now) : NO_TOUCHES;
  }

  /**
   * Where somebody took part. A loyalty Program enrolls by a fact itself, so an enrollment of that very moment is left to
   * the fact.
   */
  enrollmentsOf(id: string, now: Instant): readonly EnrollmentSpan[] {
    const spans = this.#enrollments.get(id);
    if (!spans) return NO_SPANS;
    return spans.filter(({ programId, startsAt }) =>
      this.#loyaltyPrograms.has(programId) ? startsAt < now : startsAt <= now,
    );
  }

  /** As facts name them: by their id, because an erasure changes external ids. */
  participant(id: string): Participant {
    const { kind, createdAt } = this.get(id);
    return {
      id,
      createdAt,
      updatedAt: createdAt,
      projectId: '',
      kind,
      externalId: id,
      billingId: null,
      name: null,
      email: null,
      partnerId: null,
      deletedAt: null,
      readmittedAt: null,
    };
  }

  get(id: string): KnownPerson {
    const known = this.people.get(id);
    if (!known) throw new Error(`Participant ${id} was not loaded.`);
    return known;
  }
}
