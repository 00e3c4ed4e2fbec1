import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { Maker } from '../../participants/participant-slice.ts';
import type { TermsVersion } from '../../programs/book/program-book.ts';
import type { DeliveryChoice } from '../../programs/delivery-methods.ts';
import { type RewardRow, withDelivery } from '../reward.ts';
import type { MoneyBenefit } from './calculate-reward.ts';
import type { EarnedVerdict } from './earn-rewards.ts';
import type { DeliveryMethod } from './states.ts';

/** What earned a Reward, and the Program's delivery settings at that time. */
export interface Earning {
  /** The next number in the Project's list of Rewards. */
  readonly number: number;
  readonly programId: string;
  readonly eventId: string;
  readonly referralId: string | null;
  readonly purchaseId: string | null;
  readonly signupPersonId: string | null;
  readonly delivery: DeliveryChoice;
}

/** Creates the Reward of a rule's verdict, earned now. */
export function makeReward(
  maker: Maker,
  { rule, terms, beneficiaryId, money, arithmetic }: EarnedVerdict,
  { delivery, ...earning }: Earning,
): RewardRow {
  const { benefitKind } = terms;
  return withDelivery(
    {
      id: maker.newId('rwd'),
      projectId: maker.projectId,
      ...earning,
      ruleId: rule.id,
      termsVersionId: terms.id,
      beneficiaryRole: rule.beneficiaryRole,
      beneficiaryParticipantId: beneficiaryId,
      benefitKind,
      netAmountMinor: money?.amountMinor ?? null,
      ...benefitFields(terms, money),
      ...planFields(terms, delivery),
      // Delivery settings accept no other values than these.
      method: delivery[`${benefitKind}Method`] as DeliveryMethod,
      earnedAt: maker.now,
      availableAt: addMs(maker.now, delivery.holdDays * DAY_MS),
      fulfillmentStatus: 'pending',
      deliveryStatus: 'pending',
      deliveryReason: null,
      providerReference: null,
      isDisputed: false,
      paidMinor: 0n,
      payoutId: null,
      fulfillment: null,
      revocation: null,
      void: null,
      arithmetic,
      createdAt: maker.now,
      updatedAt: maker.now,
    },
    maker.now,
  );
}

/** The fields of a Reward that depend only on its terms and amounts, not on the time. */
export function benefitFields(terms: TermsVersion, money: MoneyBenefit | null) {
  const isDiscount = terms.benefitKind === 'discount';
  const unit = unitOf(terms);
  return {
    amountMinor: money?.amountMinor ?? null,
    currency: money?.currency ?? null,
    currencyExponent: money?.currencyExponent ?? null,
    rateBps: isDiscount ? terms.rateBps : null,
    durationMode: isDiscount ? terms.durationMode : null,
    durationMonths: isDiscount ? terms.durationMonths : null,
    quantity: unit && terms.quantity,
    unitId: unit?.id ?? null,
    validityDays: unit && terms.validityDays,
  };
}

/** A unit that represents a plan includes the plan, for the product to apply. */
function planFields(terms: TermsVersion, delivery: DeliveryChoice) {
  const unit = unitOf(terms);
  const upgrade = delivery.planUpgrades.find(({ unitKey }) => unitKey === unit?.key);
  return { plan: upgrade?.plan ?? null, periods: upgrade?.periods ?? null };
}

function unitOf({ benefitKind, unit }: TermsVersion): TermsVersion['unit'] {
  return benefitKind === 'custom' ? unit : null;
}
