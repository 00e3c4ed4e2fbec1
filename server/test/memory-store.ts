import type { Handle } from '../src/domain/attribution/decide-identify.ts';
import { refKey } from '../src/domain/participants/participant-slice.ts';
import { isPartner, ownerOfDays } from '../src/domain/participants/partner-days.ts';
import type { Participant, ParticipantRef } from '../src/domain/participants/schema.ts';
import { findTerms } from '../src/domain/programs/program-book.ts';
import type { AskedMilestones } from '../src/domain/rewards/change/save-rewards.ts';
import { earnsForMonths } from '../src/domain/rewards/decide/earn-rewards.ts';
import { holdMilestone } from '../src/domain/rewards/decide/hold-milestone.ts';
import { milestoneAt } from '../src/domain/rewards/decide/lose-milestone.ts';
import { holdForReview } from '../src/domain/rewards/decide/review-reward.ts';
import { periodOf } from '../src/domain/rewards/decide/reward-figures.ts';
import { countsAsGiven, type RewardRow } from '../src/domain/rewards/reward.ts';
import type { ReviewRow } from '../src/domain/risk/reviews/review.ts';
import { emptyRisk, RECENT_MAX } from '../src/domain/risk/risk-slice.ts';
import { earningKey, keepReward } from '../src/domain/tracking/batch/earnings.ts';
import type { LedgerState, Purchase, TrackedEvent } from '../src/domain/tracking/batch/facts.ts';
import { Ledger } from '../src/domain/tracking/batch/ledger.ts';
import type { Made, Rows } from '../src/domain/tracking/batch/made.ts';
import { askedMilestones } from '../src/domain/tracking/batch/measure-needs.ts';
import { readStaked } from '../src/domain/tracking/batch/measures.ts';
import { type BatchNeeds, needsOf, type TrackCommand } from '../src/domain/tracking/batch/needs.ts';
import { isPaidFor, outsideKey } from '../src/domain/tracking/decide/customers.ts';
import { foldCommand } from '../src/domain/tracking/decide/fold-command.ts';
import { invoiceKey, sourceKey } from '../src/domain/tracking/intake/normalize-event.ts';
import type { Outcome } from '../src/platform/feed/writer/project-write.ts';
import { addToTally, type Tally } from '../src/platform/figures/tally.ts';
import { groupBy } from '../src/platform/kit/group-by.ts';

type Table<T> = Map<string, T>;
type RowOf<K extends keyof Made> = Made[K] extends Rows<infer T> ? T : never;

const FOUNDED_MAX = 1_000;

/**
 * A Project whose batches are saved in memory: each sees what load-ledger.ts would load for it of what
 * the batches before left, and nothing else.
 */
export class MemoryStore {
  readonly participants: Table<Participant> = new Map();
  readonly events: Table<TrackedEvent> = new Map();
  readonly purchases: Table<Purchase> = new Map();
  readonly adjustments: Table<RowOf<'adjustments'>> = new Map();
  readonly rewards: Table<RowOf<'rewards'>> = new Map();
  readonly facts: Table<RowOf<'subscriptionFacts'>> = new Map();
  readonly keys: Table<Made['keys'][number]> = new Map();
  readonly signups: Table<Made['signups'][number]> = new Map();
  readonly early: Made['early']['added'] = new Map();
  readonly dropped: Made['early']['dropped'] = [];
  readonly rewardAdjustments: Made['rewardAdjustments'] = [];
  readonly touches: Made['touches'] = [];
  readonly referrals: Made['referrals'] = [];
  readonly enrollments: Made['enrollments'] = [];
  readonly figures: Tally = new Map();
  readonly handles: Table<Handle> = new Map();
  readonly feed: unknown[] = [];
  readonly #founded: LedgerState;
  readonly #now: string;
  readonly #counts = new Map<string, number>();

  /** Programs, codes and browsers are those of `founded`. */
  constructor(founded: LedgerState, now: string) {
    this.#founded = founded;
    this.#now = now;
    this.enrollments.push(...founded.enrollments);
    for (const id of founded.touchesOfHandle.keys()) {
      this.handles.set(id, { id, participantId: null, identifiedAt: null });
    }
  }

  /** Takes commands as one batch. */
  run(commands: readonly TrackCommand[]): Outcome<object>[] {
    const ledger = new Ledger(this.#load(needsOf(commands)), {
      projectId: 'prj',
      now: this.#now,
      // Touches of `founded` have the first numbers.
      newId: (prefix: string) =>
        `${prefix}_${String(FOUNDED_MAX + this.#next(prefix)).padStart(26, '0')}`,
      nextNumber: (list: string) => this.#next(`number of ${list}`),
      introduce: (one: Participant) => this.participants.set(one.id, one),
      announce: (type: string, data: () => object) => this.feed.push([type, data()]),
    });
    const outcomes = commands.map((command) => foldCommand(ledger, command));
    this.#save(ledger.made);
    const { handles, changed } = ledger.identities;
    for (const id of changed.handles) {
      const handle = handles.get(id);
      // Last, as a batch has it: otherwise explanations would name the same touches in another order.
      this.handles.delete(id);
      if (handle) this.handles.set(id, handle);
    }
    return outcomes;
  }

  #next(name: string): number {
    const next = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, next);
    return next;
  }

  #save(made: Made): void {
    const put = <T extends { id: string }>(table: Table<T>, { added, changed }: Rows<T>) => {
      for (const row of [...added.values(), ...changed.values()]) table.set(row.id, row);
    };
    for (const id of made.early.removed) this.early.delete(id);
    for (const ref of made.forgotten) this.keys.delete(sourceKey(ref));
    put(this.events, made.events);
    put(this.purchases, made.purchases);
    put(this.adjustments, made.adjustments);
    put(this.rewards, made.rewards);
    put(this.facts, made.subscriptionFacts);
    for (const key of made.keys) this.keys.set(sourceKey(key), key);
    for (const one of made.signups) this.signups.set(one.participantId, one);
    for (const [id, one] of made.early.added) this.early.set(id, one);
    this.dropped.push(...made.early.dropped);
    this.rewardAdjustments.push(...made.rewardAdjustments);
    this.touches.push(...made.touches);
    this.referrals.push(...made.referrals);
    for (const [index, { id }] of this.referrals.entries()) {
      const bought = made.bought.get(id);
      if (bought) this.referrals[index] = bought;
    }
    for (const { id, reviewStatus, updatedAt: now } of made.reviewed.values()) {
      const index = this.referrals.findIndex((one) => one.id === id);
      const referral = this.referrals[index];
      if (referral) this.referrals[index] = { ...referral, reviewStatus };
      for (const reward of this.rewards.values()) {
        if (reward.referralId === id) this.rewards.set(reward.id, holdForReview(reward, now));
      }
    }
    this.enrollments.push(...made.enrollments);
    for (const one of made.counted.values()) addToTally(this.figures, one);
    for (const review of made.reviews) this.#holdMilestones(review);
    for (const one of made.unsureDays.values()) {
      const owner = this.#founded.people.get(ownerOfDays(one.subject));
      if (owner && isPartner(owner)) addToTally(this.figures, one);
    }
  }

  /** As saving does with those that were not loaded. */
  #holdMilestones({ programId, referrerParticipantId, refereeParticipantId }: ReviewRow): void {
    const { book } = this.#founded;
    for (const reward of this.rewards.values()) {
      const { milestone, beneficiaryParticipantId: beneficiaryId, arithmetic } = reward;
      const isOfSide = [referrerParticipantId, refereeParticipantId].includes(beneficiaryId);
      if (milestone === null || reward.programId !== programId || !isOfSide) continue;
      const { currency } = findTerms(book, reward);
      const measure = arithmetic.milestone?.measure ?? 'referrals';
      const asked = { beneficiaryId, role: reward.beneficiaryRole, measure, currency };
      const staked = readStaked(this.figures, programId, asked);
      const moment = { now: this.#now, newId: (prefix: string) => `${prefix}_none` };
      this.rewards.set(reward.id, holdMilestone(reward, staked, moment));
    }
  }

  #load(needs: BatchNeeds): LedgerState {
    const { book, sources, names: allNames, touchesOfHandle: allTouches } = this.#founded;
    const refs = new Set(needs.refs.map(refKey));
    const byRef = new Map<string, Participant>();
    for (const one of this.participants.values()) {
      const key = refKey({ kind: one.kind, externalId: one.externalId ?? '' });
      if (refs.has(key)) byRef.set(key, one);
    }
    const known = (refs: readonly ParticipantRef[]) =>
      refs.flatMap((ref) => byRef.get(refKey(ref))?.id ?? []);
    const events = [...this.events.values()];
    const isProcessed = (id: string) => this.events.get(id)?.processingState === 'processed';
    const creatorOf = (id: string) =>
      this.events.get(this.signups.get(id)?.eventId ?? '')?.actorParticipantId ?? null;
    const creators = (ids: readonly string[]) => ids.flatMap((id) => creatorOf(id) ?? []);

    const asked = new Set(needs.purchases.map(sourceKey));
    const early = [...this.early.values()].filter(({ input }) =>
      asked.has(sourceKey(input.purchase)),
    );
    const purchaseOfKey = new Map<string, string>();
    const told = needs.adjustments.flatMap(({ purchase }) => {
      const answer = this.keys.get(sourceKey(purchase))?.answer as { eventId?: string } | undefined;
      const own = this.#purchasesOf([answer?.eventId ?? ''])[0];
      const first = own && this.purchases.get(own.duplicateOf ?? own.id);
      if (first) purchaseOfKey.set(sourceKey(purchase), first.id);
      return first ?? [];
    });
    const invoices = new Set(
      needs.invoices.flatMap(({ participant, ...one }) =>
        known([participant]).map((participantId) => invoiceKey({ ...one, participantId })),
      ),
    );
    const invoiced = [...this.purchases.values()].filter(
      (one) => one.invoiceId !== null && one.duplicateOf === null && invoices.has(invoiceKey(one)),
    );
    const names = new Map(
      needs.names.flatMap((name) => {
        const codes = allNames.get(name);
        return codes ? [[name, codes] as const] : [];
      }),
    );
    const owners = [...names.values()].flat().map(({ participantId }) => participantId);

    const deciding = new Set([...known(needs.deciding), ...needs.people]);
    const concerned = events
      .filter(({ processingState }) => processingState === 'pending')
      .map((one) => [one.participantId, one.actorParticipantId, creatorOf(one.participantId)])
      .filter((parties) => parties.some((id) => id !== null && deciding.has(id)));
    const partyCreators = creators([...known(needs.created), ...needs.people]);
    const isRestored = [...needs.adjustments, ...early.map(({ input }) => input)].some(
      ({ restores }) => restores !== null,
    );
    const restored = isRestored ? [...told, ...invoiced] : [];
    const people = new Set([
      ...known(needs.refs),
      ...needs.people,
      ...partyCreators,
      ...restored.map(({ participantId }) => participantId),
      ...concerned.flat().flatMap((id) => id ?? []),
    ]);
    const weighed = new Set([...known(needs.weighed), ...partyCreators]);
    const coded = new Set([...known(needs.coded), ...partyCreators]);
    const adjusted = new Set(
      needs.adjustments.length + early.length === 0
        ? []
        : [...told, ...invoiced].map(({ id }) => id),
    );
    const rewards = [...this.rewards.values()].filter(
      ({ purchaseId }) => purchaseId !== null && adjusted.has(purchaseId),
    );

    const restoredEvents = new Set(restored.map(({ eventId }) => eventId));
    const credited = new Set([...restoredEvents].map((id) => this.events.get(id)?.referralId));
    const referrals = this.referrals.filter(
      (one) => people.has(one.refereeParticipantId) || credited.has(one.id),
    );
    const touchesOf = groupBy(
      [...this.handles.values()].flatMap(({ id, participantId: ownerId }) =>
        ownerId !== null && (weighed.has(ownerId) || needs.handles.includes(id))
          ? (allTouches.get(id) ?? []).map((touch) => ({ ...touch, ownerId }))
          : [],
      ),
      ({ ownerId }) => ownerId,
    );
    const codeTouches = this.touches.flatMap((touch) =>
      touch.participantId !== null && coded.has(touch.participantId)
        ? [{ ...touch, participantId: touch.participantId }]
        : [],
    );
    const handles = new Map(
      needs.handles.flatMap((id) => {
        const handle = this.handles.get(id);
        return handle ? [[id, handle] as const] : [];
      }),
    );
    const touchesOfHandle = new Map(
      [...handles.keys()].map((id) => [id, allTouches.get(id) ?? []]),
    );

    const waiting = events.filter(
      (one) => one.processingState === 'pending' && people.has(one.participantId),
    );
    const waitingPurchases = this.#purchasesOf(waiting.map(({ id }) => id));
    const purchaseIds = new Set([...adjusted, ...waitingPurchases.map(({ id }) => id)]);
    const referrers = [
      ...referrals,
      ...[...touchesOf.values(), ...touchesOfHandle.values()].flat(),
      ...codeTouches,
    ].map((one) => one.referrerParticipantId);
    const everyone = new Set([
      ...people,
      ...owners,
      ...referrals.map(({ refereeParticipantId }) => refereeParticipantId),
      ...referrers,
      ...rewards.map(({ beneficiaryParticipantId }) => beneficiaryParticipantId),
      ...[...adjusted].flatMap((id) => this.#sidesOf(id)),
    ]);
    const subjects = new Set([...everyone, ...referrals.map(({ id }) => id)]);
    const paid = (participantId: string) =>
      [...this.purchases.values()].filter(
        (one) =>
          one.participantId === participantId &&
          !adjusted.has(one.id) &&
          isPaidFor(one) &&
          isProcessed(one.eventId),
      );
    const isUnpriced = (participantId: string) =>
      events.some(
        (one) =>
          one.participantId === participantId &&
          one.type === 'purchase' &&
          one.processingState === 'processed' &&
          one.facts.purchase === null,
      );
    const parties = [
      ...known(needs.created),
      ...needs.people,
      ...owners,
      ...referrers,
      ...concerned.flatMap(([id]) => id ?? []),
    ];

    const purchases = [...told, ...invoiced, ...waitingPurchases];
    const changed = { handles: new Set<string>(), references: new Set<string>() };
    const state: LedgerState = {
      book,
      sources,
      identities: { handles, references: new Map(), keyCounts: new Map(), changed },
      participants: { byRef, billingHolders: new Map(), erased: new Set() },
      people: new Map(
        [...everyone].flatMap((id) => {
          const founder = this.#founded.people.get(id);
          const other = this.participants.get(id);
          const sides = { suspendedAt: null, isReferrer: false, isReferee: false };
          const person = founder ?? (other && { ...other, ...sides });
          return person ? [[id, person] as const] : [];
        }),
      ),
      keys: new Map(
        needs.keys.flatMap((ref) => {
          const key = this.keys.get(sourceKey(ref));
          return key ? [[sourceKey(ref), key] as const] : [];
        }),
      ),
      signups: new Map(
        [...this.signups].flatMap(([id, { answer }]) => (people.has(id) ? [[id, answer]] : [])),
      ),
      promised: new Map(
        [...this.signups].flatMap(([id, { eventId, answer }]) => {
          const event = this.events.get(eventId);
          const isPromised =
            people.has(id) &&
            !['attributed', 'no_candidate'].includes(answer.processingReason) &&
            event?.processingReason !== 'attributed' &&
            event?.explanation?.candidates.some((one) => one.reason === 'awaiting_subscription');
          return event && isPromised ? [[id, event] as const] : [];
        }),
      ),
      starts: groupBy(
        [...this.facts.values()].filter(
          (one) => one.change === 'started' && known(needs.signingUp).includes(one.participantId),
        ),
        ({ participantId }) => participantId,
      ),
      names,
      touchesOf,
      touchesOfHandle,
      codeTouchesOf: groupBy(codeTouches, ({ participantId }) => participantId),
      creatorOf: new Map(
        parties.flatMap((id) => {
          const creator = creatorOf(id);
          return creator === null ? [] : [[id, creator] as const];
        }),
      ),
      referrals: new Map(referrals.map((one) => [one.refereeParticipantId, one])),
      enrollments: this.enrollments.filter(({ participantId }) => everyone.has(participantId)),
      waiting: groupBy(waiting, ({ participantId }) => participantId),
      decidedEvents: new Map(
        events.filter(({ id }) => restoredEvents.has(id) && isProcessed(id)).map((e) => [e.id, e]),
      ),
      purchases: new Map(purchases.map((one) => [one.id, one])),
      purchaseOfEvent: new Map(purchases.map((one) => [one.eventId, one.id])),
      purchaseOfKey,
      adjustmentsOf: groupBy(
        [...this.adjustments.values()].filter(({ purchaseId }) => purchaseIds.has(purchaseId)),
        ({ purchaseId }) => purchaseId,
      ),
      earnings: new Map(),
      occurredAt: new Map(
        rewards
          .filter(({ ruleId }) => this.#isMonthly(ruleId))
          .map(({ eventId }) => [eventId, this.events.get(eventId)?.occurredAt ?? '']),
      ),
      rewardsOf: new Map(),
      milestones: new Map(),
      early: groupBy(early, ({ input }) => sourceKey(input.purchase)),
      customers: {
        known: new Set([...people].filter((id) => paid(id).length > 0 || isUnpriced(id))),
        payers: new Set([...people].filter((id) => paid(id).length > 0)),
        knownOutside: new Set(
          needs.started.flatMap(({ participant, subscriptionId }) =>
            known([participant])
              .filter(
                (id) =>
                  isUnpriced(id) || paid(id).some((one) => one.subscriptionId !== subscriptionId),
              )
              .map((id) => outsideKey(id, subscriptionId)),
          ),
        ),
        decided: new Set(
          [...adjusted].filter((id) => isProcessed(this.purchases.get(id)?.eventId ?? '')),
        ),
        unpriced: new Set(),
      },
      credits: new Map(
        [...adjusted].flatMap((id) => {
          const event = this.events.get(this.purchases.get(id)?.eventId ?? '');
          const referral = this.referrals.find((one) => one.id === event?.referralId);
          return event && referral ? [[id, { ...referral, receivedAt: event.receivedAt }]] : [];
        }),
      ),
      invoices: new Map(invoiced.map((one) => [invoiceKey(one), one.id])),
      campaigns: groupParts(this.figures),
      figures: new Map(),
      risk: this.#loadRisk([...owners, ...referrers]),
    };
    for (const one of this.figures.values()) {
      // Days of a window have a subject of their own: `<person>/<program>`.
      if (subjects.has(one.subject.split('/')[0] ?? '')) addToTally(state.figures, { ...one });
    }
    const periods = new Set([...people, ...referrals.map(({ id }) => id)]);
    this.#loadEarnings(state, periods, 1 + needs.adjustments.length + early.length);
    const milestones = askedMilestones(book, state.figures, [...everyone], {
      adjusted: adjusted.size > 0 ? purchases : [],
      hasLateSignup: referrals.some(
        (one) =>
          one.bindingSubscriptionFactId !== null &&
          known(needs.signingUp).includes(one.refereeParticipantId),
      ),
    }).flatMap((one) => this.#milestonesOf(one));
    for (const reward of [...rewards, ...milestones]) keepReward(state, reward);
    return state;
  }

  /** Of these referrers; nobody has an address, and nobody is paid anywhere. */
  #loadRisk(referrerIds: readonly string[]): LedgerState['risk'] {
    const touches = [...this.touches, ...[...this.#founded.touchesOfHandle.values()].flat()];
    const visits = this.referrals.map(({ refereeParticipantId, touchId }) => {
      const touch = touches.find(({ id }) => id === touchId);
      const clickedAt = touch && touch.handleId !== null ? touch.occurredAt : null;
      return [refereeParticipantId, { clickedAt, network: touch?.networkHash ?? null }] as const;
    });
    const recent = referrerIds.map((referrerId) => {
      const own = this.referrals.filter((one) => one.referrerParticipantId === referrerId);
      const near = own.slice(-RECENT_MAX).map((one) => ({
        refereeId: one.refereeParticipantId,
        boundAtMs: Date.parse(one.bindingOccurredAt),
      }));
      return [referrerId, near] as const;
    });
    const referrerOf = this.referrals.map(
      (one) => [one.refereeParticipantId, one.referrerParticipantId] as const,
    );
    return {
      ...emptyRisk(),
      recent: new Map(recent),
      visits: new Map(visits),
      referrerOf: new Map(referrerOf),
    };
  }

  /** Whose measures a purchase may count for. */
  #sidesOf(purchaseId: string): string[] {
    const purchase = this.purchases.get(purchaseId);
    const event = this.events.get(purchase?.eventId ?? '');
    const referral = this.referrals.find(({ id }) => id === event?.referralId);
    return [
      ...(purchase ? [purchase.participantId] : []),
      ...(referral ? [referral.referrerParticipantId, referral.refereeParticipantId] : []),
    ];
  }

  #milestonesOf({ ruleId, beneficiaryId, milestone, lowest }: AskedMilestones): RewardRow[] {
    return [...this.rewards.values()].filter(
      (one) =>
        one.ruleId === ruleId &&
        one.beneficiaryParticipantId === beneficiaryId &&
        one.milestone === milestone &&
        milestoneAt(one) > lowest,
    );
  }

  /** Of each of these earning periods the first Rewards that stand. */
  #loadEarnings({ earnings }: LedgerState, periods: ReadonlySet<string>, limit: number): void {
    for (const reward of this.rewards.values()) {
      const period = periodOf(reward);
      const key = earningKey(reward.ruleId, period);
      const some = new Map(earnings.get(key));
      const isAsked = periods.has(period) && this.#isMonthly(reward.ruleId);
      if (!isAsked || !countsAsGiven(reward) || some.size === limit) continue;
      const occurredAt = this.events.get(reward.eventId)?.occurredAt ?? '';
      earnings.set(key, some.set(reward.id, { number: reward.number, occurredAt }));
    }
  }

  #isMonthly(ruleId: string): boolean {
    const rules = [...this.#founded.book.programs.values()].flatMap((program) => program.rules);
    return rules.some(({ id, terms }) => id === ruleId && terms.some(earnsForMonths));
  }

  #purchasesOf(eventIds: readonly string[]): Purchase[] {
    return [...this.purchases.values()].filter(({ eventId }) => eventIds.includes(eventId));
  }
}

/** The campaigns of every Program; a history has one month. */
function groupParts(figures: Tally): Map<string, ReadonlySet<string>> {
  const parts = new Map<string, Set<string>>();
  for (const { subject, part } of figures.values()) {
    const [programId = '', list] = subject.split(':');
    if (list === 'campaigns') parts.set(programId, (parts.get(programId) ?? new Set()).add(part));
  }
  return parts;
}
