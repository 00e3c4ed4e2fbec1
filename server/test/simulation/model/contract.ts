// What the contract says that everybody must have, written without the service's own decisions: slow, small and obvious.

import { addMonths, divide } from './arithmetic.ts';
import type { Accepted, ProgramFacts, Terms } from './facts.ts';

interface ExpectedReward {
  readonly key: string;
  readonly rule: string;
  readonly beneficiary: string;
  readonly amountMinor: bigint | null;
  netMinor: bigint | null;
  status: string;
  isVoided: boolean;
}

export interface Expected {
  /** The referrer and the program of each referee. */
  readonly referrals: ReadonlyMap<string, { readonly referrer: string; readonly program: string }>;
  readonly rewards: ReadonlyMap<string, ExpectedReward>;
}

interface Bound {
  readonly referrer: string;
  readonly program: ProgramFacts;
  readonly boundAt: string;
}

interface Bought {
  readonly key: string;
  readonly person: string;
  readonly amountMinor: bigint;
  readonly occurredAt: string;
  refunded: bigint;
  isDecided: boolean;
}

interface Made extends ExpectedReward {
  readonly purchase: Bought | null;
  readonly terms: Terms;
  readonly referee: string;
  readonly occurredAt: string;
  isRefunded: boolean;
  isGranted: boolean;
  isRevoked: boolean;
}

const DAY_MS = 86_400_000;

export function expectOf({ programs, enrollments, facts }: Accepted): Expected {
  const codes = new Map<string, { person: string; program: string }>();
  const referrals = new Map<string, Bound>();
  const signedUp = new Set<string>();
  const erased = new Set<string>();
  const purchases = new Map<string, Bought>();
  const rewards = new Map<string, Made>();

  const isEnrolled = (person: string, program: string, at: string) =>
    enrollments.some(
      (one) =>
        one.person === person &&
        one.program === program &&
        one.startsAt <= at &&
        (one.endsAt === null || at < one.endsAt),
    );
  const statusAt = (program: ProgramFacts, at: string) =>
    program.statuses.filter(({ from }) => from <= at).at(-1)?.status ?? 'draft';
  const standing = (one: Made) =>
    !one.isVoided && !one.isRefunded && (one.netMinor === null || one.netMinor > 0n);

  function bind(person: string, refCode: string | null, at: string): void {
    const owner = refCode === null ? undefined : codes.get(refCode);
    const program = programs.find(({ key }) => key === owner?.program);
    if (!owner || !program || owner.person === person) return;
    if (erased.has(owner.person)) return;
    if (statusAt(program, at) !== 'active' || !isEnrolled(owner.person, program.key, at)) return;
    const isCustomer = [...purchases.values()].some(
      (one) => one.person === person && one.isDecided && one.amountMinor > one.refunded,
    );
    if (isCustomer) return;
    referrals.set(person, { referrer: owner.person, program, boundAt: at });
  }

  function earn(event: string, person: string, at: string, purchase: Bought | null): void {
    const bound = referrals.get(person);
    if (!bound) return;
    // A paused program goes on to pay for the referrals that it has.
    if (!['active', 'paused'].includes(statusAt(bound.program, at))) return;
    const eventType = purchase === null ? 'signup' : 'purchase';
    if (purchase && Date.parse(at) < Date.parse(bound.boundAt) - DAY_MS) return;
    if (purchase && (purchase.amountMinor === 0n || purchase.refunded >= purchase.amountMinor))
      return;
    for (const rule of bound.program.rules.filter((one) => one.eventType === eventType)) {
      const beneficiary = rule.role === 'referrer' ? bound.referrer : person;
      const terms = rule.versions.filter(({ effectiveAt }) => effectiveAt <= at).at(-1)?.terms;
      if (!terms?.enabled || !holds(terms, purchase)) continue;
      if (rule.role === 'referrer' && !isEnrolled(beneficiary, bound.program.key, at)) continue;
      const earned = [...rewards.values()].filter((one) => one.rule === rule.key && standing(one));
      const inReferral = earned.filter((one) => one.referee === person);
      if (purchase && !isInDuration(terms, inReferral, at)) continue;
      const ofBeneficiary = earned.filter((one) => one.beneficiary === beneficiary);
      if (ofBeneficiary.length >= (terms.maxRewardsPerBeneficiary ?? Number.POSITIVE_INFINITY))
        continue;
      const amountMinor = amountOf(terms, purchase?.amountMinor ?? 0n);
      if (amountMinor === 0n) continue;
      const key = `${event} ${rule.key}`;
      const made: Made = {
        key,
        rule: rule.key,
        beneficiary,
        amountMinor,
        netMinor: amountMinor,
        status: 'pending',
        isVoided: false,
        purchase,
        terms,
        referee: person,
        occurredAt: at,
        isRefunded: false,
        isGranted: false,
        isRevoked: false,
      };
      rewards.set(key, made);
      if (purchase && purchase.refunded > 0n) settle(made);
    }
  }

  function decide(purchase: Bought): void {
    purchase.isDecided = true;
    earn(`purchase ${purchase.key}`, purchase.person, purchase.occurredAt, purchase);
  }

  /** What the refunds of its purchase leave of a reward. */
  function settle(reward: Made): void {
    const { purchase, terms, amountMinor } = reward;
    if (!purchase) return;
    const { amountMinor: paid, refunded } = purchase;
    const isGone =
      terms.refundPolicy === 'full'
        ? refunded > 0n
        : terms.refundPolicy === 'proportional' && refunded >= paid;
    if (amountMinor !== null) {
      if (terms.refundPolicy === 'proportional') {
        reward.netMinor = divide(amountMinor * (paid - refunded), paid, terms.roundingPolicy);
      } else {
        reward.netMinor = isGone ? 0n : amountMinor;
      }
    }
    reward.isRefunded = amountMinor === null ? isGone : reward.netMinor === 0n;
  }

  function statusOf(one: Made): string {
    const isCash = one.terms.benefitKind === 'cash';
    const isOff = one.isVoided || one.isRefunded;
    if (one.isRevoked) return 'revoked';
    if (one.isGranted) return isOff && !isCash ? 'revocation_pending' : 'fulfilled';
    return isOff ? 'cancelled' : 'pending';
  }

  for (const fact of facts) {
    switch (fact.kind) {
      case 'code':
        codes.set(fact.code, fact);
        break;
      case 'signup':
        if (signedUp.has(fact.person)) throw new Error(`${fact.person} signed up twice.`);
        signedUp.add(fact.person);
        bind(fact.person, fact.refCode, fact.occurredAt);
        earn(`signup ${fact.person}`, fact.person, fact.occurredAt, null);
        for (const one of purchases.values()) {
          if (one.person === fact.person && !one.isDecided) decide(one);
        }
        break;
      case 'purchase': {
        const { key, person, amountMinor, occurredAt, gaveUp } = fact;
        const made: Bought = {
          key,
          person,
          amountMinor,
          occurredAt,
          refunded: 0n,
          isDecided: gaveUp,
        };
        purchases.set(key, made);
        if (signedUp.has(person)) decide(made);
        break;
      }
      case 'refund':
      case 'restoration': {
        const purchase = purchases.get(fact.purchase);
        if (!purchase) throw new Error(`${fact.purchase} was adjusted, but is not there.`);
        purchase.refunded += fact.kind === 'refund' ? fact.amountMinor : -fact.amountMinor;
        for (const one of rewards.values()) if (one.purchase === purchase) settle(one);
        break;
      }
      case 'erase':
        erased.add(fact.person);
        for (const one of rewards.values()) {
          if (one.beneficiary === fact.person && statusOf(one) === 'pending') one.isVoided = true;
        }
        break;
      case 'void':
      case 'grant':
      case 'revoke': {
        const reward = rewards.get(fact.reward);
        if (!reward) throw new Error(`${fact.kind} of ${fact.reward}, which nobody should have.`);
        if (fact.kind === 'void') reward.isVoided = true;
        if (fact.kind === 'grant') reward.isGranted = true;
        if (fact.kind === 'revoke') reward.isRevoked = true;
      }
    }
  }
  for (const one of rewards.values()) one.status = statusOf(one);
  return {
    referrals: new Map(
      [...referrals].map(([person, { referrer, program }]) => [
        person,
        { referrer, program: program.key },
      ]),
    ),
    rewards,
  };
}

/** Every purchase of a world is in dollars. A signup has no amount and no currency, and so meets no condition. */
function holds({ conditions = [] }: Terms, purchase: Bought | null): boolean {
  return conditions.every(({ field, op, value }) => {
    if (!purchase) return false;
    if (op === 'gte') return purchase.amountMinor >= BigInt(String(value));
    if (op === 'lte') return purchase.amountMinor <= BigInt(String(value));
    const is = field === 'purchase.currency' ? 'USD' : purchase.amountMinor.toString();
    const isNamed = [value].flat().includes(is);
    return op === 'eq' || op === 'in' ? isNamed : !isNamed;
  });
}

function isInDuration(terms: Terms, earned: readonly Made[], at: string): boolean {
  const [first] = earned.map(({ occurredAt }) => occurredAt).sort();
  if (first === undefined) return true;
  // A discount is earned once; its duration is its own.
  if (terms.durationMode === 'once' || terms.benefitKind === 'discount') return false;
  if (terms.durationMode === 'forever') return true;
  return at < addMonths(first, terms.durationMonths ?? 0);
}

function amountOf(terms: Terms, base: bigint): bigint | null {
  if (terms.benefitKind === 'custom' || terms.benefitKind === 'discount') return null;
  if (terms.calculation === 'fixed') return BigInt(terms.fixedAmountMinor ?? '0');
  return divide(base * BigInt(terms.rateBps ?? 0), 10_000n, terms.roundingPolicy);
}
