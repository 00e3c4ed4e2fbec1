import { addToTally } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { endReview, holdForReview } from '../../rewards/decide/review-reward.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { LedgerState, StoredReferral, TrackedEvent } from '../../tracking/batch/facts.ts';
import { Ledger, type Made, nothingMade } from '../../tracking/batch/ledger.ts';
import { outsideKey } from '../../tracking/decide/customers.ts';
import { foldCommand } from '../../tracking/decide/fold-command.ts';
import { settleMilestone } from '../../tracking/decide/settle-milestones.ts';
import { sourceKey } from '../../tracking/intake/normalize-event.ts';
import { type CreditedPurchases, decidedFigures } from '../../tracking/reviews/decided-figures.ts';
import { gatherPeople, type Involved } from './gather-people.ts';
import type { PastPeople } from './past-people.ts';
import { NO_COMMAND } from './replay-command.ts';
import type { Replayed } from './replayed.ts';
import { WorldState } from './world-state.ts';

/** Ids that a replay makes up sort in the order in which they were made. */
const ZEROS = '0'.repeat(12);

/** One course of history: the production fold, over a book, in memory. */
export class World {
  readonly state: WorldState;
  readonly #people: PastPeople;
  readonly #projectId: string;
  #made = 0;

  constructor(projectId: string, book: ProgramBook, people: PastPeople, canReview: boolean) {
    this.#projectId = projectId;
    this.#people = people;
    this.state = new WorldState(book, canReview);
  }

  /** Takes one fact; null if it was refused, which changes nothing. */
  take(replayed: Replayed, isKept: (eventId: string) => boolean): Made | null {
    const involved = gatherPeople(this.state, this.#people, replayed);
    const state = this.#slice(replayed, involved);
    const { ids, judged } = replayed;
    if (ids.evt && judged) this.state.judged.set(ids.evt, judged);
    const ledger = this.#ledger(state, replayed);
    const outcome = foldCommand(ledger, replayed.command);
    if ('refused' in outcome) return null;
    this.#holdReviewed(ledger, replayed.now);
    this.state.absorb(ledger.made, state, isKept);
    return ledger.made;
  }

  /** Changes Rewards without a fact, as an operator or a review does; returns each before and after. */
  changeRewards(
    now: Instant,
    rows: readonly RewardRow[],
    change: (row: RewardRow, moment: { now: Instant; newId: Ledger['newId'] }) => RewardRow,
  ): Made {
    const state = this.#slice(NO_COMMAND, { people: new Set(), waiting: new Set() });
    const ledger = this.#ledger(state, { ...NO_COMMAND, now });
    for (const before of rows) {
      const after = change(before, ledger);
      if (after !== before) ledger.changeReward(before, after);
    }
    this.state.absorb(ledger.made, state, () => true);
    return ledger.made;
  }

  /** Repeats a person's decision; null if there is no such review in this course. */
  decideReview(refereeId: string, status: 'approved' | 'rejected', now: Instant): Made | null {
    const { book, figures, referrals } = this.state;
    const referral = referrals.get(refereeId);
    if (referral?.reviewStatus !== 'open') return null;
    const decided = { ...referral, reviewStatus: status };
    referrals.set(refereeId, decided);
    const isRejected = status === 'rejected';
    const purchases = isRejected ? this.#purchasesOf(decided) : [];
    for (const one of decidedFigures(decided, { figures, purchases, book })) {
      addToTally(figures, one);
    }
    const held = this.rewardsOfReferral(referral.id).filter(({ milestone }) => milestone === null);
    return this.changeRewards(now, [...held, ...this.#milestonesOf(decided)], (row, moment) =>
      row.milestone === null
        ? endReview(row, isRejected, moment)
        : settleMilestone(row, { book, figures }, moment),
    );
  }

  #purchasesOf({ refereeParticipantId }: StoredReferral): CreditedPurchases[] {
    const { credits, purchases } = this.state;
    return [...credits].flatMap(([id, credit]) => {
      const purchase = purchases.get(id);
      const isOther = credit.refereeParticipantId !== refereeParticipantId;
      return !purchase || isOther ? [] : [{ ...purchase, howMany: 1n }];
    });
  }

  /** Those of both sides. */
  #milestonesOf(referral: StoredReferral): RewardRow[] {
    const { programId, referrerParticipantId, refereeParticipantId } = referral;
    return [referrerParticipantId, refereeParticipantId]
      .flatMap((id) => [...(this.state.milestonesOf.get(id)?.values() ?? [])])
      .filter((row) => row.programId === programId);
  }

  #ledger(state: LedgerState, { now, ids, eventNumber }: Replayed): Ledger {
    return new Ledger(
      state,
      {
        projectId: this.#projectId,
        now,
        newId: (prefix) => {
          const known = (ids as Record<string, string | undefined>)[prefix];
          if (known !== undefined) return known;
          this.#made += 1;
          return `${prefix}_${ZEROS.slice(String(this.#made).length)}${this.#made}`;
        },
        nextNumber: (list) => {
          if (list === 'events') return eventNumber;
          this.#made += 1;
          return this.#made;
        },
        introduce: () => undefined,
        announce: () => undefined,
      },
      nothingMade(),
    );
  }

  /** Rewards that a referral earned before its review was opened are held with it. */
  #holdReviewed({ made }: Ledger, now: Instant): void {
    for (const { referralId } of made.reviews) {
      for (const reward of this.rewardsOfReferral(referralId)) {
        if (made.rewards.changed.has(reward.id)) continue;
        this.state.keepReward(holdForReview(reward, now), true);
      }
    }
  }

  rewardsOfReferral(referralId: string): RewardRow[] {
    const events = this.state.eventsOfReferral.get(referralId) ?? [];
    return [...events].flatMap((eventId) =>
      [...(this.state.rewards.get(eventId)?.values() ?? [])].filter(
        (reward) => reward.referralId === referralId,
      ),
    );
  }

  /** The part of the history that a command reads: decisions walk through some of these, so they must be small. */
  #slice(replayed: Replayed, { people, waiting }: Involved): LedgerState {
    const { state } = this;
    const { participantId, actorParticipantId, purchaseId, now } = replayed;
    const parties = [participantId, actorParticipantId].flatMap((id) => id || []);
    const ids = [...people];
    const purchaseIds = new Set([
      ...ids.flatMap((id) => [...(state.purchasesOf.get(id) ?? [])]),
      ...(purchaseId === null ? [] : [purchaseId]),
    ]);
    const purchases = [...purchaseIds].flatMap((id) => state.purchases.get(id) ?? []);
    const rewardsOf = purchases.flatMap(({ id, eventId }) => {
      const rewards = state.rewards.get(eventId);
      return rewards
        ? [[id, new Map([...rewards].filter(([, one]) => one.purchaseId === id))] as const]
        : [];
    });
    const past = this.#people;
    return {
      book: state.book,
      sources: past.sources,
      participants: {
        byRef: new Map(
          parties.map((id) => {
            const one = past.participant(id);
            return [`${one.kind} ${id}`, one] as const;
          }),
        ),
        billingHolders: new Map(),
        erased: new Set(),
      },
      identities: NO_IDENTITIES,
      people: past.people,
      keys: new Map(),
      signups: state.signups,
      promised: state.promised,
      starts: state.starts,
      names: replayed.names,
      touchesOf: new Map(ids.map((id) => [id, past.touchesOf(id, now)])),
      touchesOfHandle: new Map(),
      codeTouchesOf: new Map(ids.map((id) => [id, state.codeTouches.get(id) ?? []])),
      creatorOf: new Map(
        ids.flatMap((id) => {
          const creator = state.creatorOf.get(id);
          return creator === undefined ? [] : [[id, creator] as const];
        }),
      ),
      referrals: purchaseId === null ? state.referrals : this.#referralsOf(ids),
      enrollments: ids.flatMap((id) => this.#enrollmentsOf(id, now)),
      waiting: new Map([...waiting].map((id) => [id, state.waiting.get(id) ?? []])),
      decidedEvents: new Map(
        purchases.flatMap(({ eventId }): [string, TrackedEvent][] => {
          const event = state.events.get(eventId);
          return event?.processingState === 'processed' ? [[eventId, event]] : [];
        }),
      ),
      purchases: new Map(purchases.map((one) => [one.id, one])),
      purchaseOfEvent: new Map(purchases.map((one) => [one.eventId, one.id])),
      purchaseOfKey: this.#purchaseKeys(replayed),
      adjustmentsOf: state.adjustmentsOf,
      earnings: state.earnings,
      occurredAt: state.occurredAt,
      milestones: new Map(ids.flatMap((id) => [...(state.milestonesOf.get(id) ?? [])])),
      rewardsOf: new Map(rewardsOf),
      early: state.early,
      customers: {
        known: state.customers,
        payers: state.payers,
        knownOutside: this.#boughtOutside(replayed),
        decided: new Set([...purchaseIds].filter((id) => state.decided.has(id))),
        unpriced: new Set(),
      },
      credits: state.credits,
      campaigns: new Map(),
      invoices: new Map(replayed.invoices),
      figures: state.figures,
      risk: { ...state.risk, judged: state.judged },
    };
  }

  #referralsOf(ids: readonly string[]): LedgerState['referrals'] {
    return new Map(
      ids.flatMap((id) => {
        const referral = this.state.referrals.get(id);
        return referral ? [[id, referral] as const] : [];
      }),
    );
  }

  /** Those of the Project, and those that facts made here. */
  #enrollmentsOf(id: string, now: Instant) {
    const stored = this.#people.enrollmentsOf(id, now);
    const own = this.state.joined.get(id) ?? [];
    if (own.length === 0) return stored;
    const isStored = (one: (typeof own)[number]) =>
      stored.some((other) => other.programId === one.programId && other.startsAt === one.startsAt);
    return [...stored, ...own.filter((one) => !isStored(one))];
  }

  #purchaseKeys({ command, purchaseId }: Replayed): LedgerState['purchaseOfKey'] {
    if (command.kind !== 'adjustment' || purchaseId === null) return new Map();
    if (!this.state.purchases.has(purchaseId)) return new Map();
    return new Map([[sourceKey(command.adjustment.purchase), purchaseId]]);
  }

  /** For each subscription that this command may bind. */
  #boughtOutside({ command, participantId }: Replayed): ReadonlySet<string> {
    if (command.kind === 'adjustment') return NONE;
    const starts = this.state.starts.get(participantId) ?? [];
    const started = command.kind === 'subscription' ? [command.subscription] : [];
    if (starts.length + started.length === 0) return NONE;
    return new Set(
      [...starts, ...started]
        .filter(({ subscriptionId }) => this.state.hasBoughtOutside(participantId, subscriptionId))
        .map(({ subscriptionId }) => outsideKey(participantId, subscriptionId)),
    );
  }
}

const NONE: ReadonlySet<string> = new Set();
const NO_IDENTITIES: LedgerState['identities'] = {
  handles: new Map(),
  references: new Map(),
  keyCounts: new Map(),
  changed: { handles: new Set(), references: new Set() },
};
