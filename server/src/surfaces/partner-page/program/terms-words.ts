import type { TermsVersion } from '../../../domain/programs/program-book.ts';
import type { BenefitRule } from '../../../domain/programs/schema.ts';
import type { Reader } from '../reader.ts';
import { fill } from '../texts/fill.ts';
import type { TextName } from '../texts/texts.ts';
import { conditionSentences } from './condition-words.ts';
import {
  milestoneConditions,
  milestoneSentence,
  sizeRange,
  tierSentences,
} from './growth-words.ts';

/** A rule and its terms in force. */
export interface RuleInForce {
  readonly eventType: BenefitRule['eventType'];
  readonly beneficiaryRole: BenefitRule['beneficiaryRole'];
  readonly terms: Pick<
    TermsVersion,
    | 'benefitKind'
    | 'calculation'
    | 'fixedAmountMinor'
    | 'currency'
    | 'rateBps'
    | 'durationMode'
    | 'durationMonths'
    | 'quantity'
    | 'unit'
    | 'validityDays'
    | 'maxRewardsPerBeneficiary'
    | 'refundPolicy'
    | 'conditions'
    | 'tiers'
    | 'milestone'
  >;
}

/** What a program gives at the moment. */
export interface ProgramTerms {
  /** Only those that are enabled. */
  readonly rules: readonly RuleInForce[];
  /** How long after a click a referral can bind; null if it has no policy. */
  readonly windowDays: number | null;
  readonly holdDays: number;
  /** The smallest payout, by currency. */
  readonly minimums: Readonly<Record<string, string>>;
}

/** A sentence about what somebody gets, and its conditions. */
interface RuleWords {
  readonly main: string;
  readonly conditions: readonly string[];
}

export interface TermsWords {
  readonly rules: readonly RuleWords[];
  /** Conditions of the whole program. */
  readonly general: readonly string[];
}

/** The terms of a program in words for its partners; their own benefits come first. */
export function describeTerms(terms: ProgramTerms, reader: Reader): TermsWords {
  const rules = terms.rules.filter(({ beneficiaryRole }) => beneficiaryRole !== 'subject');
  const own = rules.filter(isOwn);
  const others = rules.filter((rule) => !isOwn(rule));
  return {
    rules: [...own, ...others].map((rule) => ({
      main: mainSentence(rule, reader),
      conditions: [
        ...tierSentences(rule.terms, whoOf(rule), reader),
        ...milestoneConditions(rule.terms, reader),
        ...conditionSentences(rule.terms.conditions ?? [], reader),
        durationSentence(rule, reader),
        creditSentence(rule, reader),
        validitySentence(rule, reader),
        capSentence(rule, reader),
        refundSentence(rule, reader),
      ].filter((sentence) => sentence !== null),
    })),
    general: own.length === 0 ? [] : generalSentences(terms, own, reader),
  };
}

function isOwn({ beneficiaryRole }: RuleInForce): boolean {
  return beneficiaryRole === 'referrer';
}

function whoOf(rule: RuleInForce): 'you' | 'they' {
  return isOwn(rule) ? 'you' : 'they';
}

/** A part of the purchase, as opposed to something that does not depend on its price. */
function isShare({ terms }: RuleInForce): boolean {
  return terms.calculation === 'percentage' && terms.benefitKind !== 'discount';
}

/** A discount is given once; its duration is its own. */
function isOnce({ terms }: RuleInForce): boolean {
  return terms.benefitKind === 'discount' || terms.durationMode === 'once';
}

type Occasion = 'Signup' | 'FirstPurchase' | 'Purchases' | 'FirstDeed' | 'Deeds';

function occasionOf(rule: RuleInForce): Occasion {
  if (rule.eventType === 'signup') return 'Signup';
  if (rule.eventType === 'purchase') return isOnce(rule) ? 'FirstPurchase' : 'Purchases';
  return isOnce(rule) ? 'FirstDeed' : 'Deeds';
}

function mainSentence(rule: RuleInForce, reader: Reader): string {
  const { texts } = reader;
  const who = whoOf(rule);
  if (isShare(rule)) {
    const name: TextName = isOnce(rule) ? `${who}ShareFirst` : `${who}SharePurchases`;
    return fill(texts[name], { rate: sizeRange(rule.terms, reader) });
  }
  const deed = rule.eventType.replace(/^custom_/, '').replaceAll('_', ' ');
  const benefit = benefitPhrase(rule, reader);
  return (
    milestoneSentence(rule.terms, benefit, who, reader) ??
    fill(texts[`${who}${occasionOf(rule)}`], { benefit, deed })
  );
}

function benefitPhrase({ terms }: RuleInForce, reader: Reader): string {
  const { texts } = reader;
  const size = sizeRange(terms, reader);
  if (terms.benefitKind === 'discount') return fill(texts.benefitDiscount, { rate: size });
  return terms.benefitKind === 'credit' ? fill(texts.benefitCredit, { amount: size }) : size;
}

function durationSentence(rule: RuleInForce, { texts, formats }: Reader): string | null {
  const { benefitKind, durationMode, durationMonths } = rule.terms;
  const isDiscount = benefitKind === 'discount';
  if (durationMode === 'once') return isDiscount ? texts.discountOnce : null;
  if (durationMode === 'forever') return isDiscount ? texts.discountForever : texts.termForever;
  const months = formats.span(durationMonths ?? 1, 'month');
  return fill(isDiscount ? texts.discountMonths : texts.termMonths, { months });
}

function creditSentence(rule: RuleInForce, { texts }: Reader): string | null {
  return isShare(rule) && rule.terms.benefitKind === 'credit' ? texts.termCredit : null;
}

function validitySentence({ terms }: RuleInForce, { texts, formats }: Reader): string | null {
  if (terms.validityDays === null) return null;
  return fill(texts.termValid, { days: formats.span(terms.validityDays, 'day') });
}

function capSentence(rule: RuleInForce, { texts, formats }: Reader): string | null {
  const cap = rule.terms.maxRewardsPerBeneficiary;
  if (cap === null) return null;
  const who = isOwn(rule) ? 'You' : 'They';
  if (cap === 1) return texts[`cap${who}Once`];
  return fill(texts[`cap${who}`], { count: formats.count(cap) });
}

function refundSentence({ eventType, terms }: RuleInForce, { texts }: Reader): string | null {
  // Those of a milestone lower its measure.
  if (eventType !== 'purchase' || terms.milestone) return null;
  if (terms.refundPolicy === 'none') return texts.refundNone;
  if (terms.refundPolicy === 'full') return texts.refundAny;
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  return isMoney ? texts.refundShare : texts.refundWhole;
}

function generalSentences(
  { windowDays, holdDays, minimums }: ProgramTerms,
  own: readonly RuleInForce[],
  { texts, formats }: Reader,
): string[] {
  const sentences: string[] = [];
  if (windowDays !== null) {
    sentences.push(fill(texts.termWindow, { days: formats.span(windowDays, 'day') }));
  }
  const givesCash = own.some(({ terms }) => terms.benefitKind === 'cash');
  if (givesCash && holdDays > 0) {
    sentences.push(fill(texts.termHold, { days: formats.span(holdDays, 'day') }));
  }
  const amounts = Object.entries(minimums)
    .filter(([, amountMinor]) => BigInt(amountMinor) > 0n)
    .map(([currency, amountMinor]) => formats.money(BigInt(amountMinor), currency));
  if (givesCash && amounts.length > 0) {
    sentences.push(fill(texts.termMinimum, { amounts: formats.all(amounts) }));
  }
  return sentences;
}
