import { networkOf } from '../../src/domain/clicks/read-visit.ts';
import type { RiskChoice, RiskSignal } from '../../src/domain/programs/policies/risk-policy.ts';
import { gatherFacts } from '../../src/domain/risk/decide/gather-facts.ts';
import { judgeRisk } from '../../src/domain/risk/decide/judge-risk.ts';
import { emptyRisk, type PaidAccount, RECENT_MAX } from '../../src/domain/risk/risk-slice.ts';
import type { Call, World } from './calls.ts';
import { instant, Known, toAddress } from './known.ts';

type Points = Pick<RiskChoice, 'points'>;
type Landing = Extract<Call, { do: 'land' }>;
type PersonCall = Extract<Call, { person: string }>;

/** The highest score of a referral, and what fired then. */
export interface Scored {
  readonly score: number;
  readonly signals: readonly RiskSignal[];
}

/** What the service keeps of a world, in memory: thousands of referrals are judged within seconds. */
class Model {
  readonly scores = new Map<string, Scored>();
  readonly #points: Points;
  readonly #people = new Map<string, Known>();
  readonly #referrerOf = new Map<string, string>();
  readonly #landings = new Map<string, Landing>();
  readonly #buyers = new Map<string, Known>();
  /** Who has an account or a card. */
  readonly #owners = new Map<string, Set<string>>();

  constructor(points: Points) {
    this.#points = points;
  }

  apply(call: Call): void {
    if (call.do === 'land') this.#landings.set(call.browser, call);
    else if (call.do === 'refund') this.#refund(call.order);
    else this.#applyTo(this.#know(call.person, call.at), call);
  }

  #applyTo(person: Known, call: PersonCall): void {
    if (call.do === 'register') person.address = toAddress(call.email);
    if (call.do === 'panel') person.networks.set(networkOf(call.ip) ?? '', call.at);
    if (call.do === 'payout') person.account = this.#share(call.account, person);
    if (call.do === 'signup') this.#bind(person, call);
    if (call.do === 'purchase') {
      person.cards.add(this.#share(call.card, person));
      this.#buyers.set(call.order, person);
      const referrer = this.#referrer(person);
      if (!referrer) return;
      referrer.purchases += 1;
      this.#judge({ referrer, referee: person }, call.at);
    }
  }

  #bind(referee: Known, call: Extract<Call, { do: 'signup' }>): void {
    if (referee.bound) return;
    const landing = this.#landings.get(call.browser ?? '');
    const referrer = this.#know(call.referrer, call.at);
    referrer.referred.push(referee);
    this.#referrerOf.set(referee.id, referrer.id);
    referee.bound = {
      referrer: referrer.id,
      at: call.at,
      visit: {
        clickedAt: landing ? instant(landing.at) : null,
        network: landing ? networkOf(landing.ip) : null,
      },
    };
    this.#judge({ referrer, referee }, call.at);
  }

  #refund(order: string): void {
    const buyer = this.#buyers.get(order);
    const referrer = buyer && this.#referrer(buyer);
    if (referrer) referrer.refunded += 1;
  }

  #know(id: string, at: number): Known {
    const known = this.#people.get(id) ?? new Known(id, at);
    this.#people.set(id, known);
    return known;
  }

  #referrer({ bound }: Known): Known | undefined {
    return bound ? this.#people.get(bound.referrer) : undefined;
  }

  #share(thing: string, { id }: Known): string {
    this.#owners.set(thing, (this.#owners.get(thing) ?? new Set()).add(id));
    return thing;
  }

  #others(thing: string): number {
    return (this.#owners.get(thing)?.size ?? 1) - 1;
  }

  #judge({ referrer, referee }: { referrer: Known; referee: Known }, now: number): void {
    const near = referrer.referred.slice(-RECENT_MAX);
    const people = [...new Set([referrer, referee, ...near])];
    const cardOthers = [...referee.cards].reduce((sum, card) => sum + this.#others(card), 0);
    const facts = gatherFacts(
      {
        ...emptyRisk(),
        profiles: new Map(people.map((one) => [one.id, one.profileAt(now, cardOthers)])),
        accounts: new Map(people.flatMap((one) => this.#accountOf(one))),
        recent: new Map([[referrer.id, near.map((one) => one.near)]]),
        visits: new Map(people.map((one) => [one.id, one.visitAt(now)])),
        referrerOf: this.#referrerOf,
      },
      {
        boundAt: referee.boundAt,
        referrer: { ...referrer.party, createdAt: referrer.createdAt },
        referee: referee.party,
        referred: referrer.referred.length,
        clickNetworks: [],
        purchases: referrer.purchases,
        refundedPurchases: referrer.refunded,
        referrerOf: () => undefined,
      },
    );
    const { score, signals } = judgeRisk(facts, this.#points);
    if (score >= (this.scores.get(referee.id)?.score ?? 0)) {
      this.scores.set(referee.id, { score, signals: signals.map(({ signal }) => signal) });
    }
  }

  #accountOf({ id, account }: Known): [string, PaidAccount][] {
    if (account === null) return [];
    return [[id, { participantId: id, account, others: this.#others(account) }]];
  }
}

/** The highest score of each referral of a world, by referee. */
export function scoreWorld({ calls }: World, points: Points): ReadonlyMap<string, Scored> {
  const model = new Model(points);
  for (const call of calls) model.apply(call);
  return model.scores;
}
