import { countOf, join } from '../../../ui/words.ts';
import type { ProgramKind, Rule } from '../queries.ts';
import { benefitPhrase, sharePhrase, type TermsFacts } from './benefit-phrase.ts';
import { conditionPhrase, currencyOf } from './conditions/condition-phrase.ts';
import { countSentences, milestonePhrase, stepsPhrase } from './growth/growth-phrase.ts';

export interface RuleFacts {
  readonly kind: ProgramKind;
  readonly eventType: Rule['eventType'];
  readonly beneficiaryRole: Rule['beneficiaryRole'];
  /** From the program's delivery settings; null if unknown. */
  readonly holdDays?: number | null;
}

interface Sides {
  readonly who: string;
  /** The person who acted, and the same in the possessive. */
  readonly actor: string;
  readonly actors: string;
}

/** The meaning of terms: who gets what for which event, and then the limits, one sentence each. */
export function describeTerms(rule: RuleFacts, terms: TermsFacts): readonly string[] {
  if (!terms.enabled) {
    return ['This rule is turned off: it gives no rewards.'];
  }
  return [
    mainSentence(rule, terms),
    conditionSentence(terms),
    ...(terms.tiers ? countSentences(rule, terms.tiers) : []),
    checkSentence(rule, terms),
    capSentence(terms),
    validitySentence(terms),
    roundingSentence(terms),
    refundSentence(rule, terms),
    holdSentence(rule),
  ].filter((sentence) => sentence !== null);
}

function sidesOf({ kind, beneficiaryRole }: RuleFacts): Sides {
  if (kind === 'loyalty' || beneficiaryRole === 'subject') {
    return { who: 'The customer', actor: 'they', actors: 'their' };
  }
  const isPartner = kind === 'affiliate';
  if (beneficiaryRole === 'referee') {
    const who = isPartner ? 'The customer a partner brought' : 'The invited friend';
    return { who, actor: 'they', actors: 'their' };
  }
  return isPartner
    ? { who: 'The partner', actor: 'their customer', actors: 'their customer’s' }
    : { who: 'The person who invited', actor: 'their friend', actors: 'their friend’s' };
}

function mainSentence(rule: RuleFacts, terms: TermsFacts): string {
  const { who, actors } = sidesOf(rule);
  const isShare = terms.calculation === 'percentage' && terms.benefitKind !== 'discount';
  if (terms.milestone) {
    return `${who} gets ${benefitPhrase(terms)} ${milestonePhrase(rule, terms, terms.milestone)}.`;
  }
  const steps = terms.tiers ? `: ${stepsPhrase(rule, terms, terms.tiers)}` : '';
  if (!isShare) return `${who} gets ${benefitPhrase(terms)} ${occasion(rule, terms)}${steps}.`;
  const of = terms.durationMode === 'once' ? `${actors} first purchase` : `all ${actors} purchases`;
  return `${who} gets ${sharePhrase(terms, of)}${howLong(terms)}${steps}.`;
}

function conditionSentence({ conditions }: TermsFacts): string | null {
  if (!conditions) return null;
  const currency = currencyOf(conditions);
  return `It counts only if ${join(conditions.map((one) => conditionPhrase(one, currency)))}.`;
}

/** When a milestone is looked at, unless the event is the one that brings it closer. */
function checkSentence(rule: RuleFacts, { milestone }: TermsFacts): string | null {
  if (!milestone) return null;
  const natural = milestone.measure === 'referrals' ? 'signup' : 'purchase';
  if (rule.eventType === natural) return null;
  const { actor } = sidesOf(rule);
  const verb = (plain: string, third: string) => (actor === 'they' ? plain : third);
  const deeds: Readonly<Record<string, string>> = {
    signup: verb('sign up', 'signs up'),
    purchase: verb('buy', 'buys'),
  };
  const deed = deeds[rule.eventType] ?? `${verb('do', 'does')} “${deedName(rule.eventType)}”`;
  return `This is checked each time ${actor} ${deed}.`;
}

/** When it is earned. A discount is earned once; its duration describes the discount itself. */
function occasion(rule: RuleFacts, terms: TermsFacts): string {
  const { actor, actors } = sidesOf(rule);
  const isDiscount = terms.benefitKind === 'discount';
  const isOnce = isDiscount || terms.durationMode === 'once';
  const verb = (plain: string, third: string) => (actor === 'they' ? plain : third);
  switch (rule.eventType) {
    case 'signup':
      return `when ${actor} ${verb('sign', 'signs')} up`;
    case 'purchase':
      // A discount applies to later purchases.
      if (isDiscount) return `after ${actors} first purchase`;
      return isOnce
        ? `for ${actors} first purchase`
        : `for each of ${actors} purchases${howLong(terms)}`;
    default: {
      const deed = `${actor} ${verb('do', 'does')} “${deedName(rule.eventType)}”`;
      return isOnce ? `the first time ${deed}` : `every time ${deed}${howLong(terms)}`;
    }
  }
}

function howLong({ durationMode, durationMonths }: TermsFacts): string {
  if (durationMode === 'once') return '';
  if (durationMode === 'forever') return ', without end';
  return `, for ${countOf(durationMonths ?? 1, 'month')} from the first`;
}

const NAME_MAX = 120;

/** The name of a rule whose terms mean this: the sentence, or as many of its words as fit. */
export function nameOf(sentence: string): string {
  const name = sentence.replace(/\.$/, '');
  if (name.length <= NAME_MAX) return name;
  return `${name.slice(0, NAME_MAX - 1).replace(/[\s,:]+\S*$/, '')}…`;
}

/** `custom_trial_started` → `trial started`. */
export const deedName = (eventType: string) =>
  eventType.replace(/^custom_/, '').replaceAll('_', ' ');

function capSentence({ maxRewardsPerBeneficiary: cap }: TermsFacts): string | null {
  if (cap === null) return null;
  return cap === 1
    ? 'Nobody gets it more than once.'
    : `Nobody gets it more than ${cap.toLocaleString()} times.`;
}

function validitySentence({ benefitKind, validityDays }: TermsFacts): string | null {
  if (benefitKind !== 'custom' || validityDays === null) return null;
  return `It is valid for ${countOf(validityDays, 'day')} from the grant.`;
}

const ROUNDING: Record<TermsFacts['roundingPolicy'], string | null> = {
  half_up: null,
  half_even: 'Half a cent is rounded to the even cent.',
  down: 'Fractions of a cent are rounded down.',
  up: 'Fractions of a cent are rounded up.',
};

/** Only a share of a price has fractions; the usual rounding is not mentioned. */
function roundingSentence({ benefitKind, calculation, roundingPolicy }: TermsFacts): string | null {
  const isShare = calculation === 'percentage' && benefitKind !== 'discount';
  return isShare ? ROUNDING[roundingPolicy] : null;
}

function refundSentence({ eventType }: RuleFacts, terms: TermsFacts): string | null {
  if (terms.milestone) return 'If the count falls below it before the grant, it is voided.';
  if (eventType !== 'purchase') return null;
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  switch (terms.refundPolicy) {
    case 'proportional':
      return isMoney
        ? 'A refund takes back the same share of it.'
        : 'A full refund of the purchase takes it back.';
    case 'full':
      return 'Any refund, however small, takes all of it back.';
    case 'none':
      return 'Refunds leave it as it is.';
  }
}

function holdSentence({ holdDays }: RuleFacts): string | null {
  if (holdDays === undefined || holdDays === null || holdDays === 0) return null;
  return `It is held for ${countOf(holdDays, 'day')} before the service delivers it.`;
}
