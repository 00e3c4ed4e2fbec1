import { addToTally, differenceOf, type Figure } from '../../../platform/figures/tally.ts';
import type { AppError } from '../../../platform/kit/errors.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { refKey, rememberParticipant } from '../../participants/participant-slice.ts';
import { isPartner } from '../../participants/partner-days.ts';
import type { Participant } from '../../participants/schema.ts';
import { earnsForMonths } from '../../rewards/decide/earn-rewards.ts';
import {
  decidingFiguresOf,
  earnedDaysOf,
  listedFiguresOf,
} from '../../rewards/decide/reward-figures.ts';
import type { RewardAdjustmentRow, RewardRow } from '../../rewards/reward.ts';
import { keepReferral } from '../../risk/decide/keep-referral.ts';
import type { ReviewRow } from '../../risk/reviews/review.ts';
import { signalFiguresOf } from '../../risk/reviews/signal-figures.ts';
import type { Visit } from '../../risk/risk-slice.ts';
import type { SubscriptionFact } from '../billing-schema.ts';
import type { TrackAnswer } from '../event-schema.ts';
import type { SourceRef } from '../intake/normalize-billing.ts';
import { invoiceKey, sourceKey } from '../intake/normalize-event.ts';
import { campaignCustomersOf, campaignReferralsOf, campaignRevenueOf } from './campaign-figures.ts';
import { keepReward } from './earnings.ts';
import {
  customerFiguresOf,
  eventFiguresOf,
  listedReferralFiguresOf,
  listedRevenueFiguresOf,
  referredFiguresOf,
  referrerRevenueOf,
} from './fact-figures.ts';
import type {
  EarlyAdjustment,
  EnrollmentSpan,
  LedgerState,
  Purchase,
  PurchaseAdjustment,
  PurchaseCredit,
  SourceKey,
  StoredReferral,
  Touch,
  TrackedEvent,
} from './facts.ts';
import { addRow, changeRow, type Made, nothingMade } from './made.ts';
import {
  creditMeasures,
  loyaltyMeasures,
  referralDay,
  reviewedReferral,
  riskMeasures,
} from './measures.ts';
import {
  customerDaysOf,
  purchaseDaysOf,
  referralDaysOf,
  revenueDaysOf,
} from './partner-figures.ts';

type Announcement =
  | 'event.recorded'
  | 'referral.created'
  | 'risk.review_opened'
  | 'reward.earned'
  | 'reward.voided'
  | 'reward.restored';

/** What a Ledger needs from its transaction. */
export interface LedgerContext {
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
  nextNumber(list: string): number;
  introduce(participant: Participant): void;
  /** The data are made only if somebody reads them. */
  announce(type: Announcement, data: () => Record<string, unknown>): void;
  /** In a replay, the figures that decisions read: no others are counted, and no list of what was counted is made. */
  readonly needsFigure?: (figure: Figure) => boolean;
  /** In a replay, whether any of these are measures of tiers and milestones. */
  readonly needsMeasures?: boolean;
}

type ReadOnly<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, ReadOnly<V>>
    : T extends Set<infer V>
      ? ReadonlySet<V>
      : T extends readonly unknown[]
        ? Readonly<T>
        : T;
type ReadOnlyParts<T> = { readonly [K in keyof T]: ReadOnly<T[K]> };

/** What decisions read. It is read-only. */
export type LedgerView = ReadOnlyParts<
  Omit<LedgerState, 'participants' | 'customers' | 'identities' | 'risk'>
> &
  Pick<LedgerContext, 'projectId' | 'now' | 'newId'> & {
    readonly participants: ReadOnlyParts<LedgerState['participants']>;
    readonly customers: ReadOnlyParts<LedgerState['customers']>;
    readonly risk: ReadOnlyParts<LedgerState['risk']>;
  };

/** Result of checking a command: a refusal, the earlier answer, or a function that takes it. */
export type Checked<A extends object> =
  | { readonly refused: AppError }
  | { readonly answer: A; readonly participantId?: string }
  | { readonly take: (ledger: Ledger) => Taken<A> };

export interface Taken<A extends object> {
  readonly answer: A;
  readonly participantId?: string;
}

/**
 * The part of a Project that the commands of one batch are about. Decisions read its `view`; their
 * results are added by one of its methods, so that later commands see them and they are saved.
 */
export class Ledger {
  readonly view: LedgerView;
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
  readonly nextNumber: LedgerContext['nextNumber'];
  readonly announce: LedgerContext['announce'];
  readonly made: Made;
  readonly #state: LedgerState;
  readonly #introduce: LedgerContext['introduce'];
  readonly #needsFigure: LedgerContext['needsFigure'];
  readonly #needsMeasures: boolean;

  /** A replay passes what it has: making it for each command takes longer than many decisions. */
  constructor(
    state: LedgerState,
    context: LedgerContext,
    made: Made = nothingMade(),
    view?: LedgerView,
  ) {
    const { projectId, now, newId } = context;
    this.view = view ?? { ...state, projectId, now, newId };
    this.projectId = projectId;
    this.now = now;
    this.newId = newId;
    this.nextNumber = context.nextNumber;
    this.announce = context.announce;
    this.made = made;
    this.#state = state;
    this.#introduce = context.introduce;
    this.#needsFigure = context.needsFigure;
    this.#needsMeasures = context.needsMeasures ?? true;
  }

  /** Which participant each handle belongs to: decided and stored by attribution/. */
  get identities(): LedgerState['identities'] {
    return this.#state.identities;
  }

  /** A new participant; added once, even if one call names them twice. */
  introduce(participant: Participant): void {
    const { participants, people } = this.#state;
    const { kind, externalId } = participant;
    if (participants.byRef.has(refKey({ kind, externalId: externalId ?? '' }))) return;
    rememberParticipant(participants, participant);
    people.set(participant.id, {
      suspendedAt: null,
      isReferrer: false,
      isReferee: false,
      ...participant,
    });
    this.#introduce(participant);
  }

  addEvent(event: TrackedEvent): void {
    addRow(this.made.events, event);
    this.#place(event);
    if (event.processingState === 'processed') {
      this.#list(() => eventFiguresOf(this.projectId, event));
    }
  }

  /** Decided now, or decided again. */
  changeEvent(before: TrackedEvent, after: TrackedEvent): void {
    changeRow(this.made.events, after);
    this.#place(after);
    const figuresOf = (one: TrackedEvent) =>
      one.processingState === 'processed' ? eventFiguresOf(this.projectId, one) : [];
    this.#list(() => differenceOf(figuresOf(before), figuresOf(after)));
  }

  #place(event: TrackedEvent): void {
    const { waiting, decidedEvents } = this.#state;
    const { participantId, processingState } = event;
    const known = waiting.get(participantId);
    const isPending = processingState === 'pending';
    if (known || isPending) {
      const others = (known ?? []).filter(({ id }) => id !== event.id);
      waiting.set(participantId, isPending ? [...others, event] : others);
    }
    if (!isPending) decidedEvents.set(event.id, event);
  }

  /** The answer for every further signup of this participant. */
  addSignup(answer: TrackAnswer): void {
    const { participantId, eventId } = answer;
    this.#state.signups.set(participantId, answer);
    this.made.signups.push({ participantId, eventId, answer });
  }

  /** A signup that waits for the start of a subscription. */
  addPromised(signup: TrackedEvent): void {
    this.#state.promised.set(signup.participantId, signup);
  }

  removePromised({ participantId }: TrackedEvent): void {
    this.#state.promised.delete(participantId);
  }

  /** The amounts of an Event. A second Event about an invoice points to the first one's. */
  addPurchase(purchase: Purchase, { sourceNamespaceId, sourceEventId }: TrackedEvent): void {
    const { purchases, purchaseOfEvent, purchaseOfKey, invoices } = this.#state;
    const { id, eventId, invoiceId, duplicateOf } = purchase;
    addRow(this.made.purchases, purchase);
    purchases.set(id, purchase);
    purchaseOfEvent.set(eventId, id);
    if (sourceEventId !== null) {
      purchaseOfKey.set(sourceKey({ sourceNamespaceId, sourceEventId }), duplicateOf ?? id);
    }
    if (invoiceId !== null && duplicateOf === null) invoices.set(invoiceKey(purchase), id);
  }

  changePurchase(before: Purchase, after: Purchase): void {
    changeRow(this.made.purchases, after);
    this.#state.purchases.set(after.id, after);
    const credit = this.#creditOf(after);
    this.#change(this.#countsOf(before, credit), this.#countsOf(after, credit));
    if (!credit) return;
    this.#list(() => differenceOf(listedCountsOf(before, credit), listedCountsOf(after, credit)));
    this.#countDays(credit.referrerParticipantId, () =>
      differenceOf(revenueDaysOf(before, credit), revenueDaysOf(after, credit)),
    );
  }

  #countsOf(purchase: Purchase, credit: PurchaseCredit | undefined): Figure[] {
    return [
      ...this.#creditedOf(purchase, credit),
      ...loyaltyMeasures(purchase, purchase.receivedAt, this.#state.book),
    ];
  }

  #creditedOf(purchase: Purchase, credit: PurchaseCredit | undefined): Figure[] {
    if (!credit) return [];
    if (!this.#needsMeasures) return riskMeasures(purchase, credit);
    const { book } = this.#state;
    return [referrerRevenueOf(purchase, credit), ...creditMeasures(purchase, credit, book)];
  }

  /** With the review of its referral as it is now: this batch may have opened it. */
  #creditOf({ id }: Purchase): PurchaseCredit | undefined {
    const { credits, referrals } = this.#state;
    const credit = credits.get(id);
    const referral = credit && referrals.get(credit.refereeParticipantId);
    if (!referral || referral.reviewStatus === credit.reviewStatus) return credit;
    return { ...credit, reviewStatus: referral.reviewStatus };
  }

  /** A purchase that a loyalty Program judged for a member counts there, once. */
  addLoyalty(purchase: Purchase, programId: string): void {
    if (purchase.loyaltyProgramIds.includes(programId)) return;
    const loyaltyProgramIds = [...purchase.loyaltyProgramIds, programId];
    this.changePurchase(purchase, { ...purchase, loyaltyProgramIds });
  }

  /** Records that a purchase of this person was decided: by its id, or without an amount. */
  addCustomer(participantId: string, purchase: Pick<Purchase, 'id'> | null): void {
    const { decided, unpriced } = this.#state.customers;
    if (purchase) decided.add(purchase.id);
    else unpriced.add(participantId);
  }

  addAdjustment(adjustment: PurchaseAdjustment): void {
    const { adjustmentsOf } = this.#state;
    const { purchaseId } = adjustment;
    addRow(this.made.adjustments, adjustment);
    adjustmentsOf.set(purchaseId, [...(adjustmentsOf.get(purchaseId) ?? []), adjustment]);
  }

  changeAdjustment(adjustment: PurchaseAdjustment): void {
    const { adjustmentsOf } = this.#state;
    const { id, purchaseId } = adjustment;
    const all = adjustmentsOf.get(purchaseId) ?? [];
    changeRow(this.made.adjustments, adjustment);
    adjustmentsOf.set(
      purchaseId,
      all.map((one) => (one.id === id ? adjustment : one)),
    );
  }

  /** An adjustment that waits for its purchase. */
  addEarly(early: EarlyAdjustment): void {
    const key = sourceKey(early.input.purchase);
    this.#state.early.set(key, [...(this.#state.early.get(key) ?? []), early]);
    this.made.early.added.set(early.id, early);
  }

  /**
   * Removes one that was applied, or dropped for a reason: a dropped one can be sent again and is
   * then judged again.
   */
  removeEarly(early: EarlyAdjustment, reason: string | null): void {
    const key = sourceKey(early.input.purchase);
    const others = (this.#state.early.get(key) ?? []).filter(({ id }) => id !== early.id);
    if (others.length > 0) this.#state.early.set(key, others);
    else this.#state.early.delete(key);
    const { added, removed, dropped } = this.made.early;
    if (!added.delete(early.id)) removed.push(early.id);
    if (reason === null) return;
    dropped.push({ early, reason });
    this.#forgetAnswer(early.input);
  }

  addReward(reward: RewardRow, { id, occurredAt }: TrackedEvent): void {
    addRow(this.made.rewards, reward);
    if (this.#earnsForMonths(reward)) this.#state.occurredAt.set(id, occurredAt);
    keepReward(this.#state, reward);
    this.count(decidingFiguresOf(reward));
    this.#list(() => listedFiguresOf(reward));
    this.#countDays(reward.beneficiaryParticipantId, () => earnedDaysOf(reward));
  }

  /** For other rules the time of the first earning does not matter. */
  #earnsForMonths({ programId, ruleId }: RewardRow): boolean {
    const rules = this.#state.book.programs.get(programId)?.rules;
    return rules?.find(({ id }) => id === ruleId)?.terms.some(earnsForMonths) ?? false;
  }

  changeReward(before: RewardRow, after: RewardRow): void {
    changeRow(this.made.rewards, after);
    keepReward(this.#state, after);
    this.#change(decidingFiguresOf(before), decidingFiguresOf(after));
    this.#list(() => differenceOf(listedFiguresOf(before), listedFiguresOf(after)));
    this.#countDays(after.beneficiaryParticipantId, () =>
      differenceOf(earnedDaysOf(before), earnedDaysOf(after)),
    );
  }

  addRewardAdjustment(adjustment: RewardAdjustmentRow): void {
    this.made.rewardAdjustments.push(adjustment);
  }

  addReferral(referral: StoredReferral, visit: Visit): void {
    this.#state.referrals.set(referral.refereeParticipantId, referral);
    keepReferral(this.#state.risk, referral, visit);
    this.made.referrals.push(referral);
    this.count(referredFiguresOf(referral));
    this.#list(() => listedReferralFiguresOf(referral));
    this.count(referralDay(referral, this.#state.book));
    this.#countCampaign(referral);
    this.#countDays(referral.referrerParticipantId, () => referralDaysOf(referral));
  }

  /** Credits a purchase to a referral. The one that was received first makes its referee a customer. */
  addCredit(
    referral: StoredReferral,
    { receivedAt }: Pick<TrackedEvent, 'receivedAt'>,
    purchase: Purchase | null,
  ): void {
    const { referrals, credits } = this.#state;
    const { programId, referrerParticipantId, refereeParticipantId } = referral;
    const { linkId, campaign, reviewStatus } = referral;
    const credit: PurchaseCredit = {
      programId,
      referrerParticipantId,
      refereeParticipantId,
      linkId,
      campaign,
      reviewStatus,
      receivedAt,
    };
    this.#countDays(referrerParticipantId, () => purchaseDaysOf(credit));
    if (purchase) {
      const before = this.#creditOf(purchase);
      credits.set(purchase.id, credit);
      const after = this.#creditOf(purchase);
      this.#change(this.#creditedOf(purchase, before), this.#creditedOf(purchase, after));
      this.#list(() =>
        differenceOf(
          before ? listedCountsOf(purchase, before) : [],
          listedCountsOf(purchase, credit),
        ),
      );
      this.#countDays(referrerParticipantId, () => revenueDaysOf(purchase, credit));
    }
    const { firstPurchaseAt } = referral;
    if (firstPurchaseAt !== null && firstPurchaseAt <= receivedAt) return;
    const bought: StoredReferral = { ...referral, firstPurchaseAt: receivedAt };
    referrals.set(bought.refereeParticipantId, bought);
    const at = this.made.referrals.findIndex(({ id }) => id === bought.id);
    if (at < 0) this.made.bought.set(bought.id, bought);
    else this.made.referrals[at] = bought;
    this.#list(() => differenceOf(customerFiguresOf(referral), customerFiguresOf(bought)));
    this.#list(() => differenceOf(campaignCustomersOf(referral), campaignCustomersOf(bought)));
    this.#countDays(referrerParticipantId, () =>
      differenceOf(customerDaysOf(referral), customerDaysOf(bought)),
    );
  }

  /** A review that was opened. Rewards that were not loaded are held when this is saved. */
  addReview(review: ReviewRow, referral: StoredReferral): void {
    const reviewed: StoredReferral = { ...referral, reviewStatus: review.status };
    this.made.reviews.push(review);
    this.#list(() => signalFiguresOf(review));
    const { figures, figuresOf } = this.#state;
    const known = figuresOf?.(referral.refereeParticipantId) ?? figures.values();
    this.count(reviewedReferral(referral, known));
    this.#state.referrals.set(reviewed.refereeParticipantId, reviewed);
    const at = this.made.referrals.findIndex(({ id }) => id === reviewed.id);
    if (at < 0) this.made.reviewed.set(reviewed.id, reviewed);
    else this.made.referrals[at] = reviewed;
  }

  /** A code that was sent with a signup. */
  addTouch(touch: Touch & { readonly participantId: string }): void {
    const { codeTouchesOf } = this.#state;
    const known = codeTouchesOf.get(touch.participantId);
    codeTouchesOf.set(touch.participantId, known ? [...known, touch] : [touch]);
    this.made.touches.push(touch);
  }

  /** The browser's touches now also count for this person. */
  addTouchesOfHandle(handle: string, personId: string): void {
    const { touchesOf, touchesOfHandle } = this.#state;
    const known = touchesOf.get(personId) ?? [];
    const ids = new Set(known.map(({ id }) => id));
    const touches = touchesOfHandle.get(handle) ?? [];
    touchesOf.set(personId, [...known, ...touches.filter(({ id }) => !ids.has(id))]);
  }

  addCreator(groupId: string, creatorId: string): void {
    this.#state.creatorOf.set(groupId, creatorId);
  }

  addEnrollment(span: EnrollmentSpan): void {
    this.#state.enrollments.push(span);
    this.made.enrollments.push(span);
  }

  addSubscriptionFact(fact: SubscriptionFact): void {
    const { starts } = this.#state;
    addRow(this.made.subscriptionFacts, fact);
    if (fact.change !== 'started') return;
    starts.set(fact.participantId, [...(starts.get(fact.participantId) ?? []), fact]);
  }

  changeSubscriptionFact(fact: SubscriptionFact): void {
    changeRow(this.made.subscriptionFacts, fact);
  }

  /** The answer for a repeat of a fact. */
  addAnswer(key: SourceKey): void {
    this.#state.keys.set(sourceKey(key), key);
    this.made.keys.push(key);
  }

  #forgetAnswer(ref: SourceRef): void {
    const { keys, forgotten } = this.made;
    this.#state.keys.delete(sourceKey(ref));
    const at = keys.findIndex((one) => sourceKey(one) === sourceKey(ref));
    if (at < 0) forgotten.push(ref);
    else keys.splice(at, 1);
  }

  /** A campaign that was new is known to later commands. */
  #countCampaign(referral: StoredReferral): void {
    const { programId, campaign } = referral;
    if (campaign === null) return;
    const { campaigns } = this.#state;
    campaigns.set(programId, new Set(campaigns.get(programId)).add(campaign));
    this.#list(() => campaignReferralsOf(referral));
  }

  /** Counts figures of days, if they are a Partner's. Of somebody who was not loaded, saving finds out. */
  #countDays(participantId: string, figures: () => readonly Figure[]): void {
    if (this.#needsFigure) return;
    const person = this.#state.people.get(participantId);
    if (!person) for (const one of figures()) addToTally(this.made.unsureDays, one);
    else if (isPartner(person)) this.count(figures());
  }

  /** Figures that decisions read. */
  count(figures: readonly Figure[]): void {
    for (const one of figures) this.#add(one);
  }

  /** Figures that only lists show. */
  #list(figures: () => readonly Figure[]): void {
    if (!this.#needsFigure) this.count(figures());
  }

  #change(before: readonly Figure[], after: readonly Figure[]): void {
    if (!this.#needsFigure) {
      this.count(differenceOf(before, after));
      return;
    }
    this.count(after);
    for (const { subject, part, name, value } of before) {
      this.#add({ subject, part, name, value: -value });
    }
  }

  #add(one: Figure): void {
    const { figures } = this.#state;
    if (!this.#needsFigure) {
      addToTally(figures, one);
      addToTally(this.made.counted, one);
    } else if (one.value !== 0n && this.#needsFigure(one)) {
      addToTally(figures, one);
    }
  }
}

/** What a credited purchase adds to the figures that only lists show. */
function listedCountsOf(purchase: Purchase, credit: PurchaseCredit): Figure[] {
  return [...listedRevenueFiguresOf(purchase, credit), ...campaignRevenueOf(purchase, credit)];
}

/** The current amounts of an Event; null if it had none. */
export function purchaseOf(
  view: Pick<LedgerView, 'purchases' | 'purchaseOfEvent'>,
  event: Pick<TrackedEvent, 'id'>,
): Purchase | null {
  return view.purchases.get(view.purchaseOfEvent.get(event.id) ?? '') ?? null;
}
