import type { BookedProgram } from '../src/domain/programs/program-book.ts';
import { endReview } from '../src/domain/rewards/decide/review-reward.ts';
import type { Moment } from '../src/domain/rewards/decide/reward-decision.ts';
import { type RewardRow, withDelivery } from '../src/domain/rewards/reward.ts';
import { NO_RISK, type PinnedVerdict, RISK_MODEL } from '../src/domain/risk/decide/risk-facts.ts';
import { emptyRisk } from '../src/domain/risk/risk-slice.ts';
import type {
  LedgerState,
  Purchase,
  StoredReferral,
  Touch,
  TrackedEvent,
} from '../src/domain/tracking/batch/facts.ts';
import { Ledger } from '../src/domain/tracking/batch/ledger.ts';
import { nothingMade } from '../src/domain/tracking/batch/made.ts';
import type { TrackCommand } from '../src/domain/tracking/batch/needs.ts';
import type {
  AdjustmentAnswer,
  SubscriptionAnswer,
  SubscriptionFact,
  TrackAdjustment,
  TrackSubscription,
} from '../src/domain/tracking/billing-schema.ts';
import { NO_CAMPAIGN, type VisitCampaign } from '../src/domain/tracking/decide/decide-campaign.ts';
import { foldCommand } from '../src/domain/tracking/decide/fold-command.ts';
import { openReview } from '../src/domain/tracking/decide/open-review.ts';
import { settleMilestone, stakesReader } from '../src/domain/tracking/decide/settle-milestones.ts';
import type { TrackAnswer, TrackEvent } from '../src/domain/tracking/event-schema.ts';
import {
  normalizeAdjustment,
  normalizeSubscription,
} from '../src/domain/tracking/intake/normalize-billing.ts';
import { normalizeEvent } from '../src/domain/tracking/intake/normalize-event.ts';
import { decidedFigures } from '../src/domain/tracking/reviews/decided-figures.ts';
import type { Instant } from '../src/platform/kit/instant.ts';
import { FOUNDED_AT } from './program-book.ts';

const PROJECT_ID = 'prj';
const SOURCE_ID = 'src';

/** What was announced, and what it said. */
interface Announced {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** Somebody who refers in a Program: their code is `<name>-<program>`. */
interface Referrer {
  readonly name: string;
  readonly programId: string;
  readonly isPartner?: true;
}

const person = (externalId: string) => ({ kind: 'individual' as const, externalId });
const group = (externalId: string) => ({ kind: 'group' as const, externalId });

/** A Project without a database: facts go through the fold, one after the other, as in one batch. */
export class MemoryTracking {
  now: Instant;
  readonly state: LedgerState & { readonly touchesOfHandle: Map<string, readonly Touch[]> };
  readonly announced: Announced[] = [];
  readonly introduced: string[] = [];
  readonly made = nothingMade();
  readonly #numbers = new Map<string, number>();
  #ids = 0;

  constructor(now: Instant, programs: readonly BookedProgram[], referrers: readonly Referrer[]) {
    this.now = now;
    this.state = {
      book: { programs: new Map(programs.map((program) => [program.id, program])) },
      sources: new Map([
        [
          SOURCE_ID,
          {
            id: SOURCE_ID,
            projectId: PROJECT_ID,
            name: 'shop',
            key: 'shop',
            kind: 'application',
            enabled: true,
            createdAt: FOUNDED_AT,
            updatedAt: FOUNDED_AT,
          },
        ],
      ]),
      participants: { byRef: new Map(), billingHolders: new Map(), erased: new Set() },
      identities: {
        handles: new Map(),
        references: new Map(),
        keyCounts: new Map(),
        changed: { handles: new Set(), references: new Set() },
      },
      people: new Map(),
      keys: new Map(),
      signups: new Map(),
      promised: new Map(),
      starts: new Map(),
      names: new Map(
        referrers.map(({ name, programId }) => [
          `${name}-${programId}`,
          [{ refCodeId: name, linkId: null, programId, participantId: name, movedAt: null }],
        ]),
      ),
      touchesOf: new Map(),
      touchesOfHandle: new Map(),
      codeTouchesOf: new Map(),
      creatorOf: new Map(),
      referrals: new Map(),
      enrollments: referrers.map(({ name, programId }) => ({
        id: `enr_${name}`,
        participantId: name,
        programId,
        startsAt: FOUNDED_AT,
        endsAt: null,
      })),
      waiting: new Map(),
      decidedEvents: new Map(),
      purchases: new Map(),
      purchaseOfEvent: new Map(),
      purchaseOfKey: new Map(),
      adjustmentsOf: new Map(),
      earnings: new Map(),
      occurredAt: new Map(),
      rewardsOf: new Map(),
      milestones: new Map(),
      early: new Map(),
      customers: {
        known: new Set(),
        payers: new Set(),
        knownOutside: new Set(),
        decided: new Set(),
        unpriced: new Set(),
      },
      credits: new Map(),
      campaigns: new Map(),
      invoices: new Map(),
      figures: new Map(),
      risk: emptyRisk(),
    };
    for (const { name, isPartner } of referrers) {
      this.state.people.set(name, {
        id: name,
        kind: 'individual',
        externalId: isPartner ? null : name,
        createdAt: FOUNDED_AT,
        deletedAt: null,
        suspendedAt: null,
        isReferrer: false,
        isReferee: false,
      });
    }
  }

  /** A person, or a group with who acted for it. */
  signUp(
    name: string,
    refCode: string | null = null,
    actor?: string,
    occurredAt = this.now,
  ): TrackAnswer {
    return this.track({ type: 'signup', occurredAt, refCode, ...parties(name, actor) });
  }

  buy(
    sourceEventId: string,
    name: string,
    actor?: string,
    more: Partial<NonNullable<TrackEvent['purchase']>> = {},
  ): TrackAnswer {
    const purchase = { amountMinor: '1000', currency: 'USD', ...more };
    return this.track({ type: 'purchase', sourceEventId, purchase, ...parties(name, actor) });
  }

  refund(sourceEventId: string, order: string, amountMinor: string): AdjustmentAnswer {
    return this.adjust(sourceEventId, order, { amountMinor });
  }

  /** A refund in dollars, unless told otherwise. */
  adjust(
    sourceEventId: string,
    order: string,
    more: Partial<TrackAdjustment> = {},
  ): AdjustmentAnswer {
    const money = more.closes ? {} : { currency: 'USD', currencyExponent: 2 };
    const adjustment = normalizeAdjustment({
      sourceNamespaceId: SOURCE_ID,
      sourceEventId,
      purchase: { sourceEventId: order },
      kind: 'refund',
      ...money,
      occurredAt: this.now,
      ...more,
    });
    return this.submit({ kind: 'adjustment', adjustment });
  }

  start(
    sourceEventId: string,
    name: string,
    subscriptionId = 'sub',
    occurredAt = this.now,
  ): SubscriptionAnswer {
    return this.subscribe({ sourceEventId, subscriptionId, occurredAt, ...parties(name) });
  }

  /** A start, unless told otherwise. */
  subscribe(
    body: Partial<TrackSubscription> & Pick<TrackSubscription, 'sourceEventId' | 'participant'>,
  ): SubscriptionAnswer {
    const subscription = normalizeSubscription({
      sourceNamespaceId: SOURCE_ID,
      subscriptionId: 'sub',
      change: 'started',
      occurredAt: this.now,
      ...body,
    });
    return this.submit({ kind: 'subscription', subscription });
  }

  /** Decides what came due of this person. */
  settleDue(name: string): void {
    this.submit({ kind: 'due', participantId: this.idOf(name) });
  }

  /** Somebody's browser followed the link behind a code. */
  click(name: string, code: string, occurredAt = this.now): void {
    const ownerId = this.idOf(name);
    const touch = this.#touch(`handle of ${name}`, code, occurredAt);
    this.state.touchesOf.set(ownerId, [...(this.state.touchesOf.get(ownerId) ?? []), touch]);
  }

  #touch(
    handleId: string,
    code: string,
    occurredAt: Instant,
    campaign: Partial<VisitCampaign> = {},
  ): Touch {
    const [named] = this.state.names.get(code) ?? [];
    if (!named) throw new Error(`Nobody has the code ${code}.`);
    return {
      ...named,
      id: this.#newId('tch'),
      handleId,
      participantId: null,
      referrerParticipantId: named.participantId,
      occurredAt,
      networkHash: null,
      ...NO_CAMPAIGN,
      ...campaign,
    };
  }

  /** Ends with an error for what is refused. */
  submit<A>(command: TrackCommand): A {
    const outcome = foldCommand(this.#ledger(), command);
    if ('refused' in outcome) throw outcome.refused;
    return outcome.answer as A;
  }

  /** As it would be saved now. */
  eventOf(sourceEventId: string): TrackedEvent {
    return this.#find((event) => event.sourceEventId === sourceEventId);
  }

  signupOf(name: string): TrackedEvent {
    const id = this.idOf(name);
    return this.#find((event) => event.type === 'signup' && event.participantId === id);
  }

  startOf(sourceEventId: string): SubscriptionFact {
    const facts = [...this.made.subscriptionFacts.added.values()];
    const fact = facts.find((one) => one.sourceEventId === sourceEventId);
    if (!fact) throw new Error('There is no such fact.');
    return fact;
  }

  /** Who referred somebody; null if nobody did. */
  referrerOf(name: string): string | null {
    return this.state.referrals.get(this.idOf(name))?.referrerParticipantId ?? null;
  }

  /** Who earned how much by a purchase, after refunds. */
  earnedBy(sourceEventId: string): string[] {
    return this.#earned(this.eventOf(sourceEventId));
  }

  earnedBySignupOf(name: string): string[] {
    return this.#earned(this.signupOf(name));
  }

  #earned({ id }: TrackedEvent): string[] {
    return [...this.made.rewards.added.values()]
      .filter(({ eventId }) => eventId === id)
      .map((one) => `${one.beneficiaryParticipantId} ${one.netAmountMinor}`);
  }

  /** Somebody leaves all Programs. */
  leave(name: string): void {
    const { enrollments } = this.state;
    for (const [at, span] of enrollments.entries()) {
      if (span.participantId === name) enrollments[at] = { ...span, endsAt: this.now };
    }
  }

  /** Changes what is kept of somebody: erased, suspended. */
  change(name: string, changes: { deletedAt: Instant } | { suspendedAt: Instant }): void {
    const id = this.idOf(name);
    const known = this.state.people.get(id);
    if (!known) throw new Error(`Nothing is kept of ${name}.`);
    this.state.people.set(id, { ...known, ...changes });
  }

  /** The product grants what an Event earned. */
  grant(sourceEventId: string): void {
    for (const reward of this.rewardsOf(sourceEventId)) {
      const granted = withDelivery({ ...reward, fulfillmentStatus: 'fulfilled' }, this.now);
      this.#ledger().changeReward(reward, granted);
    }
  }

  /** Opens the review of somebody's referral, if the verdict asks for one; returns its id. */
  openReview(
    name: string,
    event: Pick<TrackedEvent, 'id'>,
    verdict: Partial<PinnedVerdict>,
  ): string | null {
    const referral = this.#referralOf(name);
    return openReview(this.#ledger(), event, referral, {
      referralId: referral.id,
      policyVersionId: 'rkp',
      mode: 'review',
      reviewAt: 60,
      score: 85,
      facts: NO_RISK,
      model: RISK_MODEL,
      signals: [{ signal: 'email_alias', value: '1', points: 60 }],
      ...verdict,
    });
  }

  /** A person decides the review, in a transaction of its own: nothing of this batch is saved yet. */
  decideReview(name: string, status: 'approved' | 'rejected'): void {
    const referral = this.#referralOf(name);
    const decided = { ...referral, reviewStatus: status };
    this.state.referrals.set(referral.refereeParticipantId, decided);
    const moment = { now: this.now, newId: (prefix: string) => this.#newId(prefix) };
    this.#countDecision(decided, moment);
    for (const reward of [...this.made.rewards.added.values()]) {
      if (reward.referralId !== referral.id) continue;
      const after = endReview(reward, status === 'rejected', moment);
      this.#ledger().changeReward(reward, after);
    }
  }

  /** As `countDecision` and `settleMilestonesOf` do. */
  #countDecision(referral: StoredReferral, moment: Moment): void {
    const { credits, purchases, book, figures, milestones } = this.state;
    const credited = [...credits].filter(
      ([, one]) => one.refereeParticipantId === referral.refereeParticipantId,
    );
    const bought = credited.map(([id]) => ({ ...(purchases.get(id) as Purchase), howMany: 1n }));
    this.#ledger().count(
      decidedFigures(referral, { figures: figures.values(), purchases: bought, book }),
    );
    const stakesOf = stakesReader(this.state);
    for (const before of [...milestones.values()]) {
      const after = settleMilestone(before, stakesOf(before), moment);
      if (after !== before) this.#ledger().changeReward(before, after);
    }
  }

  #referralOf(name: string): StoredReferral {
    const referral = this.state.referrals.get(this.idOf(name));
    if (!referral) throw new Error(`Nobody referred ${name}.`);
    return referral;
  }

  /** Something else happens to a Reward. */
  settle(reward: RewardRow, change: (row: RewardRow) => RewardRow): void {
    this.#ledger().changeReward(reward, withDelivery(change(reward), this.now));
  }

  /** As they are now. */
  rewardsOf(sourceEventId: string): RewardRow[] {
    const { id } = this.eventOf(sourceEventId);
    return [...this.made.rewards.added.values()].filter(({ eventId }) => eventId === id);
  }

  idOf(name: string): string {
    const { kind, externalId } = parties(name).participant;
    const known = this.state.participants.byRef.get(`${kind} ${externalId}`);
    if (known) return known.id;
    if (this.state.people.has(name)) return name;
    throw new Error(`Nobody is called ${name}.`);
  }

  /** Makes somebody known without a signup. */
  meet(name: string): void {
    this.track({ type: 'custom_met', sourceEventId: `met ${name}`, ...parties(name) });
  }

  /** An Event of any form, from the shop's source unless it names another. */
  track(body: Partial<TrackEvent> & Pick<TrackEvent, 'type' | 'participant'>): TrackAnswer {
    const event = normalizeEvent({ sourceNamespaceId: SOURCE_ID, ...body });
    return this.submit({ kind: 'event', event });
  }

  /** Binds somebody to who brought them elsewhere. */
  import(name: string, refCode: string): TrackAnswer {
    const event = normalizeEvent({
      sourceNamespaceId: SOURCE_ID,
      type: 'custom_imported',
      sourceEventId: `imported ${name}`,
      refCode,
      ...parties(name),
    });
    return this.submit({ kind: 'import', event });
  }

  /** A browser that followed the link behind a code, if any: nobody's unless an owner is named. */
  openBrowser(
    handle: string,
    code: string | null,
    owner: string | null = null,
    campaign: Partial<VisitCampaign> = {},
  ): void {
    const participantId = owner === null ? null : this.idOf(owner);
    const identifiedAt = owner === null ? null : this.now;
    this.state.identities.handles.set(handle, { id: handle, participantId, identifiedAt });
    const touches = code === null ? [] : [this.#touch(handle, code, this.now, campaign)];
    this.state.touchesOfHandle.set(handle, touches);
  }

  ownerOf(handle: string): string | null {
    return this.state.identities.handles.get(handle)?.participantId ?? null;
  }

  get feed(): string[] {
    return this.announced.map(({ type }) => type);
  }

  #find(isIt: (event: TrackedEvent) => boolean): TrackedEvent {
    const event = [...this.made.events.added.values()].find(isIt);
    if (!event) throw new Error('There is no such Event.');
    return event;
  }

  /** In the order they were made, as real ids are. */
  #newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${String(this.#ids).padStart(26, '0')}`;
  }

  #ledger(): Ledger {
    const context = {
      projectId: PROJECT_ID,
      now: this.now,
      newId: (prefix: string) => this.#newId(prefix),
      nextNumber: (list: string) => {
        const next = (this.#numbers.get(list) ?? 0) + 1;
        this.#numbers.set(list, next);
        return next;
      },
      introduce: ({ id }: { id: string }) => this.introduced.push(id),
      announce: (type: string, data: () => Record<string, unknown>) =>
        this.announced.push({ type, data: data() }),
    };
    return new Ledger(this.state, context, this.made);
  }
}

/** Names of groups are capitalized. */
export function parties(name: string, actor?: string) {
  const isGroup = name[0] !== name[0]?.toLowerCase();
  return {
    participant: isGroup ? group(name) : person(name),
    ...(actor === undefined ? {} : { actor: person(actor) }),
  };
}
