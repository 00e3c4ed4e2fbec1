// Which rules earn what for an event.

import type { EventType, Measure, RuleFacts, Terms } from './facts.ts';
import type { Bound } from './measures.ts';
import { type Bought, paidFor } from './purchases.ts';
import { isRefundedAway, type Made, settle, stands } from './rewards.ts';
import { type State, statusAt, type Verdict } from './state.ts';
import { amountOf, currencyOf, holds, isInDuration, stepAt, unitsOf } from './terms.ts';

/** An event that rules are judged for. */
export interface Happening {
  readonly type: EventType;
  readonly name: string;
  /** Who has done it: of a group's signup its actor. */
  readonly human: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  /** Null for anything else. */
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

const DAY_MS = 86_400_000;

export class Judge {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** A purchase counts for a referral from now on. */
  credit(purchase: Bought, bound: Bound): void {
    purchase.credit = bound;
    this.judgePurchase(purchase, bound);
  }

  /** For the first time. */
  judgePurchase(purchase: Bought, bound: Bound): void {
    bound.credited.push(purchase);
    const left = paidFor(purchase);
    const revenue = purchase.currency === 'USD' ? left : 0n;
    const added = { referrals: 0n, purchases: left > 0n ? 1n : 0n, revenue };
    const known = this.#state.verdicts.get(purchase) ?? [];
    const verdicts = this.judge(bound, happeningOf(purchase, added));
    this.#state.verdicts.set(purchase, new Map([...known, ...verdicts]));
  }

  /** Judges the rules of a referral's program, each by itself. */
  judge(bound: Bound, event: Happening, only?: ReadonlySet<string>): Map<string, Verdict> {
    const program = this.#state.program(bound.program);
    const { purchase, occurredAt } = event;
    const verdicts = new Map<string, Verdict>();
    for (const rule of program.rules) {
      if (rule.eventType !== event.type) continue;
      if (only && !only.has(rule.key)) continue;
      const beneficiary = bound[rule.role];
      const terms = rule.versions
        .filter(({ effectiveAt }) => effectiveAt <= occurredAt)
        .at(-1)?.terms;
      // A paused program goes on to pay for the referrals that it has.
      const isDue =
        ['active', 'paused'].includes(statusAt(program, occurredAt)) &&
        !(purchase && Date.parse(occurredAt) < Date.parse(bound.boundAt) - DAY_MS) &&
        (rule.role === 'referee' || this.#isReferring(beneficiary, program.key, occurredAt)) &&
        !this.#state.erased.has(beneficiary) &&
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

  /** "Nobody earns for referrals while their Partner is suspended"; the referee does. */
  #isReferring(person: string, program: string, at: string): boolean {
    return this.#state.isEnrolled(person, program, at) && !this.#state.suspended.has(person);
  }

  #judgeBenefit(judged: Judged, event: Happening): Verdict {
    const { rule, terms, bound, beneficiary } = judged;
    const { purchase } = event;
    if (purchase && purchase.amountMinor === 0n) return 'denied';
    const isSignup = event.type === 'signup';
    if (isSignup && this.#hasEarnedBy(rule, event.human)) return 'denied';
    const standing = [...this.#state.rewards.values()].filter(
      (one) => one.rule === rule.key && stands(one),
    );
    const inReferral = standing.filter((one) => one.referee === bound.referee);
    if (!isSignup && !isInDuration(terms, inReferral, event.occurredAt)) return 'denied';
    if (this.#leftUnderCap(judged) === 0) return 'denied';
    const size = terms.tiers
      ? stepAt(
          terms.tiers,
          this.#state.measure({
            ...terms.tiers,
            program: bound.program,
            role: rule.role,
            beneficiary,
            receivedAt: event.receivedAt,
            own: bound,
          }),
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
    const value = this.#state.measureNow({
      measure,
      program: judged.bound.program,
      role: rule.role,
      beneficiary,
    });
    const before = value - event.added[measure];
    const multiples: bigint[] = [];
    for (let one = BigInt(at); one <= value; one += BigInt(at)) {
      if (one > before) multiples.push(one);
      if (!repeat) break;
    }
    const known = (multiple: bigint) =>
      [...this.#state.rewards.values()].find(
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

  /** "Signup rules earn once per rule and person, for either side: one human opening ten workspaces pays once." */
  #hasEarnedBy({ key }: RuleFacts, human: string): boolean {
    return [...this.#state.rewards.values()].some(
      (one) => one.rule === key && one.human === human && one.at === null && stands(one),
    );
  }

  #leftUnderCap({ rule, terms, beneficiary }: Judged): number {
    const earned = [...this.#state.rewards.values()].filter(
      (one) => one.rule === rule.key && one.beneficiary === beneficiary && stands(one),
    );
    return Math.max(
      0,
      (terms.maxRewardsPerBeneficiary ?? Number.POSITIVE_INFINITY) - earned.length,
    );
  }

  #earn(
    { rule, terms, bound, beneficiary }: Judged,
    { name, occurredAt, purchase, human }: Happening,
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
      currency: currencyOf(terms, purchase),
      terms,
      referee: bound.referee,
      human,
      occurredAt,
      paidMinor: 0n,
      owedMinor: 0n,
      isOnBalance:
        terms.benefitKind === 'credit' && this.#state.program(bound.program).creditsBalance,
      isVoided: false,
      isRefunded: false,
      isLost: false,
      isGranted: false,
      isRevoked: false,
    };
    this.#state.rewards.set(key, made);
    settle(made);
  }
}

export const happeningOf = (purchase: Bought, added: Happening['added']): Happening => ({
  ...purchase,
  type: 'purchase',
  name: `purchase ${purchase.key}`,
  human: purchase.person,
  purchase,
  added,
});
