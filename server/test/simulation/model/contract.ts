// What the contract says that everybody must have, written without the service's own decisions: slow, small and obvious.

import { Clicks } from './clicks.ts';
import type {
  Accepted,
  EnrollmentFacts,
  Fact,
  Measure,
  ProgramFacts,
  RuleFacts,
  Terms,
} from './facts.ts';
import { type Bound, measureOf } from './measures.ts';
import { type Adjustment, type Bought, isAllowed, paidFor } from './purchases.ts';
import {
  type ExpectedReward,
  isRefundedAway,
  type Made,
  settle,
  stands,
  statusOf,
} from './rewards.ts';
import { amountOf, holds, isInDuration, stepAt, unitsOf } from './terms.ts';

export interface Expected {
  /** The referrer and the program of each referee. */
  readonly referrals: ReadonlyMap<string, Bound>;
  readonly rewards: ReadonlyMap<string, ExpectedReward>;
  /** By person, whether the handle of their signup became theirs. */
  readonly identified: ReadonlyMap<string, boolean>;
  /** By person, the most that they should ever have had from payouts. */
  readonly mostOwed: ReadonlyMap<string, bigint>;
}

/** An event that rules are judged for. */
interface Happening {
  readonly name: string;
  readonly person: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  /** Null for a signup. */
  readonly purchase: Bought | null;
  /** What it brings: a restoration brings again what was refunded. */
  readonly added: Readonly<Record<Measure, bigint>>;
}

/** A rule that could earn, by which terms, for whom. */
interface Judged {
  readonly rule: RuleFacts;
  readonly terms: Terms;
  readonly bound: Bound;
  readonly beneficiary: string;
}

/**
 * Why a rule has given what it gave. "Undoing a refund earns only what the refund had prevented": `refunded` and what
 * depends on a measure are judged again, and nothing else.
 */
type Verdict = 'denied' | 'refunded' | 'judged' | 'measured';

type AdjustmentFact = Fact & { readonly kind: 'adjustment' };

const DAY_MS = 86_400_000;

export function expectOf(accepted: Accepted): Expected {
  const model = new Model(accepted);
  for (const fact of accepted.facts) {
    model.accept(fact);
    model.noteOwed();
  }
  return model.expected;
}

class Model {
  readonly #programs: readonly ProgramFacts[];
  readonly #enrollments: readonly EnrollmentFacts[];
  readonly #clicks: Clicks;
  readonly #referrals = new Map<string, Bound>();
  readonly #identified = new Map<string, boolean>();
  readonly #signedUp = new Set<string>();
  readonly #erased = new Set<string>();
  readonly #purchases = new Map<string, Bought>();
  readonly #rewards = new Map<string, Made>();
  readonly #mostOwed = new Map<string, bigint>();
  /** Payouts whose money has not come back. */
  readonly #paid = new Set<string>();
  /** What was reported before its purchase. */
  readonly #early: AdjustmentFact[] = [];
  /** Of each purchase, by rule. */
  readonly #verdicts = new Map<Bought, Map<string, Verdict>>();

  constructor({ programs, enrollments }: Accepted) {
    this.#programs = programs;
    this.#enrollments = enrollments;
    this.#clicks = new Clicks(programs);
  }

  get expected(): Expected {
    for (const one of this.#rewards.values()) {
      one.status = statusOf(one);
      one.owedMinor = owedFor(one);
    }
    return {
      referrals: this.#referrals,
      rewards: this.#rewards,
      identified: this.#identified,
      mostOwed: this.#mostOwed,
    };
  }

  noteOwed(): void {
    const owed = new Map<string, bigint>();
    for (const one of this.#rewards.values()) {
      const program = this.#programs.find(({ key }) => key === one.program);
      if (!program?.paysCash || one.terms.benefitKind !== 'cash') continue;
      owed.set(one.beneficiary, (owed.get(one.beneficiary) ?? 0n) + owedFor(one));
    }
    for (const [person, minor] of owed)
      if (minor > (this.#mostOwed.get(person) ?? 0n)) this.#mostOwed.set(person, minor);
  }

  accept(fact: Fact): void {
    switch (fact.kind) {
      case 'code':
      case 'touch':
      case 'identify':
        this.#clicks.accept(fact);
        break;
      case 'signup':
        this.#signUp(fact);
        break;
      case 'purchase': {
        const { gaveUp, ...purchase } = fact;
        const made: Bought = { ...purchase, adjustments: [], isDecided: gaveUp };
        this.#purchases.set(fact.key, made);
        this.#adjustEarly(made);
        if (this.#signedUp.has(fact.person)) this.#decide(made);
        break;
      }
      case 'adjustment':
        if (fact.isEarly) this.#early.push(fact);
        else this.#adjustNow(fact);
        break;
      case 'erase':
        this.#erased.add(fact.person);
        for (const one of this.#rewards.values()) {
          if (one.beneficiary === fact.person && statusOf(one) === 'pending') one.isVoided = true;
        }
        break;
      case 'review':
        this.#review(fact);
        break;
      case 'paid':
      case 'returned':
        this.#pay(fact);
        break;
      case 'void':
      case 'grant':
      case 'revoke': {
        const reward = this.#rewards.get(fact.reward);
        if (!reward) throw new Error(`${fact.kind} of ${fact.reward}, which nobody should have.`);
        if (fact.kind === 'void') reward.isVoided = true;
        if (fact.kind === 'grant') reward.isGranted = true;
        if (fact.kind === 'revoke') reward.isRevoked = true;
      }
    }
  }

  /** "Reject voids what is not settled, and the Referral earns nothing from then on." */
  #review({ referee, status }: Fact & { kind: 'review' }): void {
    const bound = this.#referrals.get(referee);
    if (!bound) throw new Error(`${referee} was referred by nobody, and that is reviewed.`);
    bound.review = status;
    if (status !== 'rejected') return;
    for (const one of this.#rewards.values())
      if (one.referee === referee && !one.isGranted) one.isVoided = true;
  }

  /** "By paid = Σ settled lines: paid ≠ 0 → fulfilled; paid = 0 → owed again, or cancelled." */
  #pay({ kind, payout, lines }: Fact & { kind: 'paid' | 'returned' }): void {
    const isPaid = kind === 'paid';
    if (isPaid && this.#paid.has(payout)) throw new Error(`${payout} was paid twice.`);
    // One that came back before it was paid changes nothing.
    if (!isPaid && !this.#paid.has(payout)) return;
    if (isPaid) this.#paid.add(payout);
    else this.#paid.delete(payout);
    for (const { reward: key, amountMinor } of lines) {
      const reward = this.#rewards.get(key);
      if (!reward) throw new Error(`${key} was paid, and nobody should have it.`);
      reward.paidMinor += isPaid ? amountMinor : -amountMinor;
      if (isPaid && reward.paidMinor > 0n) reward.isGranted = true;
      if (!isPaid && reward.paidMinor === 0n) reward.isGranted = false;
      this.#letGo(reward);
    }
  }

  /** Nothing becomes due to somebody who was erased. */
  #letGo(reward: Made): void {
    if (statusOf(reward) === 'pending' && this.#erased.has(reward.beneficiary))
      reward.isVoided = true;
  }

  #signUp(fact: Fact & { kind: 'signup' }): void {
    const { person, occurredAt, receivedAt } = fact;
    if (this.#signedUp.has(person)) throw new Error(`${person} signed up twice.`);
    this.#signedUp.add(person);
    const bound = this.#bind(fact);
    if (bound) {
      const added = { referrals: 1n, purchases: 0n, revenue: 0n };
      const name = `signup ${person}`;
      this.#judge(bound, { name, person, occurredAt, receivedAt, purchase: null, added });
    }
    for (const one of this.#purchases.values()) {
      if (one.person === person && !one.isDecided) this.#decide(one);
    }
  }

  #bind({ person, refCode, handle, occurredAt: at }: Fact & { kind: 'signup' }): Bound | null {
    if (handle !== null) this.#identified.set(person, this.#clicks.identify(handle, person));
    const isCustomer = [...this.#purchases.values()].some(
      (one) => one.person === person && one.isDecided && paidFor(one) > 0n,
    );
    const owner = this.#clicks.pick({ person, refCode, at }, (touch) => {
      const program = this.#programs.find(({ key }) => key === touch.program) as ProgramFacts;
      return (
        !isCustomer &&
        touch.person !== person &&
        !this.#erased.has(touch.person) &&
        statusAt(program, at) === 'active' &&
        this.#isEnrolled(touch.person, program.key, at)
      );
    });
    if (!owner) return null;
    const bound: Bound = {
      referrer: owner.person,
      referee: person,
      program: owner.program,
      boundAt: at,
      review: null,
      credited: [],
    };
    this.#referrals.set(person, bound);
    return bound;
  }

  #decide(purchase: Bought): void {
    purchase.isDecided = true;
    const bound = this.#referrals.get(purchase.person);
    if (!bound) return;
    bound.credited.push(purchase);
    const left = paidFor(purchase);
    const added = { referrals: 0n, purchases: left > 0n ? 1n : 0n, revenue: left };
    this.#verdicts.set(purchase, this.#judge(bound, happeningOf(purchase, added)));
  }

  /** Judges the rules of a referral's program, each by itself. */
  #judge(bound: Bound, event: Happening, only?: ReadonlySet<string>): Map<string, Verdict> {
    const program = this.#programs.find(({ key }) => key === bound.program) as ProgramFacts;
    const { purchase, occurredAt } = event;
    const verdicts = new Map<string, Verdict>();
    for (const rule of program.rules) {
      if (rule.eventType !== (purchase ? 'purchase' : 'signup')) continue;
      if (only && !only.has(rule.key)) continue;
      const beneficiary = bound[rule.role];
      const terms = rule.versions
        .filter(({ effectiveAt }) => effectiveAt <= occurredAt)
        .at(-1)?.terms;
      // A paused program goes on to pay for the referrals that it has.
      const isDue =
        ['active', 'paused'].includes(statusAt(program, occurredAt)) &&
        !(purchase && Date.parse(occurredAt) < Date.parse(bound.boundAt) - DAY_MS) &&
        (rule.role === 'referee' || this.#isEnrolled(beneficiary, program.key, occurredAt)) &&
        !this.#erased.has(beneficiary) &&
        bound.review !== 'rejected';
      if (!isDue || !terms?.enabled || !holds(terms, purchase)) {
        verdicts.set(rule.key, 'denied');
        continue;
      }
      const judged = { rule, terms, bound, beneficiary };
      const verdict = terms.milestone
        ? this.#judgeMilestone(judged, event)
        : this.#judgeBenefit(judged, event);
      verdicts.set(rule.key, verdict);
    }
    return verdicts;
  }

  #judgeBenefit(judged: Judged, event: Happening): Verdict {
    const { rule, terms, bound, beneficiary } = judged;
    const { purchase } = event;
    if (purchase && purchase.amountMinor === 0n) return 'denied';
    const standing = [...this.#rewards.values()].filter(
      (one) => one.rule === rule.key && stands(one),
    );
    const inReferral = standing.filter((one) => one.referee === bound.referee);
    if (purchase && !isInDuration(terms, inReferral, event.occurredAt)) return 'denied';
    if (this.#leftUnderCap(judged) === 0) return 'denied';
    const size = terms.tiers
      ? stepAt(
          terms.tiers,
          measureOf(
            {
              ...terms.tiers,
              program: bound.program,
              role: rule.role,
              beneficiary,
              receivedAt: event.receivedAt,
              own: bound,
            },
            [...this.#referrals.values()],
          ),
        )
      : terms;
    const amountMinor = amountOf(terms, size, purchase?.amountMinor ?? 0n);
    if (amountMinor === 0n) return 'denied';
    // "A purchase refunded in full before it is decided earns nothing: no Reward is born cancelled."
    if (purchase && isRefundedAway(amountMinor, purchase, terms)) return 'refunded';
    this.#earn(judged, event, { amountMinor, size: unitsOf(terms, size), at: null });
    return 'judged';
  }

  /** "Earns the terms' fixed benefit with the Event that brings the measure to it, once per beneficiary and multiple." */
  #judgeMilestone(judged: Judged, event: Happening): Verdict {
    const { rule, terms, beneficiary } = judged;
    if (!terms.milestone) return 'denied';
    const { measure, at, repeat } = terms.milestone;
    const value = this.#measureNow(measure, judged.bound.program, rule, beneficiary);
    const before = value - event.added[measure];
    const multiples: bigint[] = [];
    for (let one = BigInt(at); one <= value; one += BigInt(at)) {
      if (one > before) multiples.push(one);
      if (!repeat) break;
    }
    const known = (multiple: bigint) =>
      [...this.#rewards.values()].find(
        (one) =>
          one.rule === rule.key &&
          one.beneficiary === beneficiary &&
          one.terms.milestone?.measure === measure &&
          one.at === multiple,
      );
    const isRegained = (one: Made | undefined) => one?.isLost && !one.isRevoked;
    const due = multiples.filter((one) => !known(one) || isRegained(known(one)));
    if (due.length === 0) return 'measured';
    // What was lost comes first.
    due.sort((a, b) => Number(known(b) !== undefined) - Number(known(a) !== undefined));
    const left = this.#leftUnderCap(judged);
    if (left === 0) return 'denied';
    for (const one of due.slice(0, left)) {
      const lost = known(one);
      if (lost) lost.isLost = false;
      else
        this.#earn(judged, event, {
          amountMinor: amountOf(terms, terms, 0n),
          size: unitsOf(terms, terms),
          at: one,
        });
    }
    return 'measured';
  }

  #measureNow(measure: Measure, program: string, rule: RuleFacts, beneficiary: string): bigint {
    const asked = { measure, window: 'all_time', program, role: rule.role, beneficiary } as const;
    return measureOf({ ...asked, receivedAt: '', own: null }, [...this.#referrals.values()]);
  }

  #leftUnderCap({ rule, terms, beneficiary }: Judged): number {
    const earned = [...this.#rewards.values()].filter(
      (one) => one.rule === rule.key && one.beneficiary === beneficiary && stands(one),
    );
    return Math.max(
      0,
      (terms.maxRewardsPerBeneficiary ?? Number.POSITIVE_INFINITY) - earned.length,
    );
  }

  #earn(
    { rule, terms, bound, beneficiary }: Judged,
    { name, occurredAt, purchase }: Happening,
    benefit: Pick<Made, 'amountMinor' | 'size' | 'at'>,
  ): void {
    const key = `${name} ${rule.key}${benefit.at === null ? '' : ` at ${benefit.at}`}`;
    const made: Made = {
      ...benefit,
      key,
      rule: rule.key,
      program: bound.program,
      role: rule.role,
      beneficiary,
      netMinor: benefit.amountMinor,
      status: 'pending',
      purchase: benefit.at === null ? purchase : null,
      terms,
      referee: bound.referee,
      occurredAt,
      paidMinor: 0n,
      owedMinor: 0n,
      isVoided: false,
      isRefunded: false,
      isLost: false,
      isGranted: false,
      isRevoked: false,
    };
    this.#rewards.set(key, made);
    settle(made);
  }

  #adjustNow({ purchase: key, adjustment }: AdjustmentFact): void {
    const purchase = this.#purchases.get(key);
    if (!purchase) throw new Error(`${key} was adjusted, but is not there.`);
    if (!isAllowed(purchase, adjustment))
      throw new Error(`${adjustment.key} of ${key} was accepted, and must not be.`);
    this.#adjust(purchase, adjustment);
  }

  /** "Kept for 24 h and applied when it arrives"; what is not allowed by then is dropped. */
  #adjustEarly(purchase: Bought): void {
    for (const { purchase: key, adjustment, reportedAt } of this.#early) {
      if (key !== purchase.key) continue;
      const isKept = Date.parse(purchase.receivedAt) < Date.parse(reportedAt) + DAY_MS;
      if (isKept && isAllowed(purchase, adjustment)) this.#adjust(purchase, adjustment);
    }
  }

  #adjust(purchase: Bought, adjustment: Adjustment): void {
    const before = paidFor(purchase);
    purchase.adjustments.push(adjustment);
    const after = paidFor(purchase);
    this.#loseMilestones(purchase);
    for (const one of this.#rewards.values()) {
      if (one.purchase !== purchase) continue;
      settle(one);
      this.#letGo(one);
    }
    if (adjustment.kind !== 'restoration') return;
    const count = (left: bigint) => (left > 0n ? 1n : 0n);
    const added = {
      referrals: 0n,
      purchases: count(after) - count(before),
      revenue: after - before,
    };
    this.#judgeAgain(purchase, added);
  }

  /** "If the measure falls below while the Reward is still pending, it is voided." */
  #loseMilestones(purchase: Bought): void {
    const bound = this.#referrals.get(purchase.person);
    if (!bound?.credited.includes(purchase)) return;
    for (const one of this.#rewards.values()) {
      const { program, beneficiary, at, terms } = one;
      const isTheirs = program === bound.program && beneficiary === bound[one.role];
      if (at === null || !terms.milestone || !isTheirs || statusOf(one) !== 'pending') continue;
      const { measure } = terms.milestone;
      const asked = { measure, window: 'all_time', program, role: one.role, beneficiary } as const;
      const all = [...this.#referrals.values()];
      if (measureOf({ ...asked, receivedAt: '', own: null }, all) < at) one.isLost = true;
    }
  }

  #judgeAgain(purchase: Bought, added: Happening['added']): void {
    const bound = this.#referrals.get(purchase.person);
    const verdicts = this.#verdicts.get(purchase);
    if (!bound || !verdicts) return;
    const again = [...verdicts].filter(([, verdict]) => ['refunded', 'measured'].includes(verdict));
    const only = new Set(again.map(([rule]) => rule));
    for (const [rule, verdict] of this.#judge(bound, happeningOf(purchase, added), only)) {
      if (verdicts.get(rule) === 'refunded') verdicts.set(rule, verdict);
    }
  }

  #isEnrolled(person: string, program: string, at: string): boolean {
    return this.#enrollments.some(
      (one) =>
        one.person === person &&
        one.program === program &&
        one.startsAt <= at &&
        (one.endsAt === null || at < one.endsAt),
    );
  }
}

const statusAt = (program: ProgramFacts, at: string): string =>
  program.statuses.filter(({ from }) => from <= at).at(-1)?.status ?? 'draft';

const owedFor = (one: Made): bigint => (stands(one) ? (one.netMinor ?? 0n) : 0n);

const happeningOf = (purchase: Bought, added: Happening['added']): Happening => ({
  ...purchase,
  name: `purchase ${purchase.key}`,
  purchase,
  added,
});
