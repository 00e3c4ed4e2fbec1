import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_RISK_POLICY,
  RISK_SIGNALS,
  type RiskSignal,
} from '../../programs/policies/risk-policy.ts';
import { explainSignal } from './explain-signal.ts';
import { judgeRisk, THRESHOLDS } from './judge-risk.ts';
import { LISTED, NO_RISK, type RiskFacts } from './risk-facts.ts';

const few = fc.nat(40);
const listed = fc.subarray([...LISTED]);
const facts: fc.Arbitrary<RiskFacts> = fc.record({
  sharedNetworks: few,
  referralsInHour: few,
  referralsInDay: few,
  usualPerDay: few,
  secondsFromClick: fc.option(few),
  sameAddresses: few,
  similarAddresses: few,
  isDisposable: fc.boolean(),
  sharedPayouts: few,
  sharedCards: few,
  cycleLength: few,
  refereesOnNetwork: few,
  refereesOnPayout: few,
  purchases: few,
  refundedPurchases: few,
  allowed: listed,
  watched: listed,
});
const points = fc.record(
  Object.fromEntries(RISK_SIGNALS.map((signal) => [signal, fc.nat(100)])) as Record<
    RiskSignal,
    fc.Arbitrary<number>
  >,
);

const firedBy = (some: Partial<RiskFacts>) =>
  judgeRisk({ ...NO_RISK, ...some }, DEFAULT_RISK_POLICY).signals.map(
    ({ signal, value }) => `${signal} ${value}`,
  );

test('nothing fires for a referral that nothing speaks against', () => {
  expect(judgeRisk(NO_RISK, DEFAULT_RISK_POLICY)).toEqual({ score: 0, signals: [] });
});

test.each<[Partial<RiskFacts>, string[]]>([
  [{ sharedNetworks: 1 }, ['same_network 1']],
  [{ referralsInHour: 20, referralsInDay: 20 }, ['velocity 20']],
  [{ referralsInHour: 19, referralsInDay: 29 }, []],
  [{ referralsInHour: 1, referralsInDay: 30 }, ['velocity 30']],
  [{ referralsInHour: 20, referralsInDay: 30, usualPerDay: 7 }, ['velocity 30']],
  [{ referralsInHour: 22, referralsInDay: 30, usualPerDay: 7 }, ['velocity 22']],
  [{ referralsInHour: 29, referralsInDay: 30, usualPerDay: 10 }, []],
  [{ referralsInHour: 30, referralsInDay: 30, usualPerDay: 500 }, ['velocity 30']],
  [{ secondsFromClick: 0 }, ['quick_signup 0']],
  [{ secondsFromClick: 4 }, ['quick_signup 4']],
  [{ secondsFromClick: 5 }, []],
  [{ sameAddresses: 1 }, ['email_alias 1']],
  [{ similarAddresses: 1 }, []],
  [{ similarAddresses: 2 }, ['email_similar 2']],
  [{ isDisposable: true }, ['email_disposable 1']],
  [{ sharedPayouts: 1 }, ['shared_payout 1']],
  [{ sharedCards: 1 }, []],
  [{ sharedCards: 2 }, ['shared_payment 2']],
  [{ cycleLength: 2 }, ['ring 2']],
  [{ refereesOnNetwork: 1, refereesOnPayout: 1 }, []],
  [{ refereesOnNetwork: 2 }, ['ring 2']],
  [{ refereesOnPayout: 3 }, ['ring 3']],
  [{ purchases: 3, refundedPurchases: 3 }, []],
  [{ purchases: 4, refundedPurchases: 2 }, []],
  [{ purchases: 4, refundedPurchases: 3 }, ['refund_rate 75']],
])('%j fires %j', (some, expected) => {
  expect(firedBy(some)).toEqual(expected);
});

test('a network counts once: as that of the referrer, or of a ring of referees', () => {
  const both = { sharedNetworks: 1, refereesOnNetwork: 2 };
  expect(firedBy(both)).toEqual(['ring 2']);
  expect(firedBy({ ...both, cycleLength: 3 })).toEqual(['same_network 1', 'ring 3']);
  expect(firedBy({ ...both, refereesOnPayout: 2 })).toEqual(['same_network 1', 'ring 2']);
  expect(firedBy({ ...both, watched: ['network'] })).toEqual(['same_network 1', 'ring 2']);
});

test('a ring without points leaves the network to count', () => {
  const both = { ...NO_RISK, sharedNetworks: 1, refereesOnNetwork: 2 };
  const { signals } = judgeRisk(both, { points: { ...DEFAULT_RISK_POLICY.points, ring: 0 } });
  expect(signals.map(({ signal }) => signal)).toEqual(['same_network']);
});

test('a network alone does not lead to a review by default, whatever its size', () => {
  fc.assert(
    fc.property(few, few, (sharedNetworks, refereesOnNetwork) => {
      const { score } = judgeRisk(
        { ...NO_RISK, sharedNetworks, refereesOnNetwork },
        DEFAULT_RISK_POLICY,
      );
      expect(score).toBeLessThan(DEFAULT_RISK_POLICY.reviewAt);
    }),
  );
});

test('what is watched counts as the signal that is closest to it', () => {
  expect(firedBy({ watched: ['network'] })).toEqual(['same_network watched']);
  expect(firedBy({ watched: ['email_domain'] })).toEqual(['email_disposable watched']);
  expect(firedBy({ watched: ['participant'] })).toEqual(['velocity watched']);
});

test('an allowed domain switches off what is about addresses, an allowed participant everything', () => {
  fc.assert(
    fc.property(facts, (some) => {
      const { signals } = judgeRisk(some, DEFAULT_RISK_POLICY);
      const ofDomain = judgeRisk(
        { ...some, allowed: [...some.allowed, 'email_domain'] },
        DEFAULT_RISK_POLICY,
      );
      expect(ofDomain.signals).toEqual(
        signals.filter(({ signal }) => !signal.startsWith('email_')),
      );
      const ofPerson = judgeRisk({ ...some, allowed: ['participant'] }, DEFAULT_RISK_POLICY);
      expect(ofPerson).toEqual({ score: 0, signals: [] });
    }),
  );
});

test('a score is the sum of the points of what fired, from 0 to 100', () => {
  fc.assert(
    fc.property(facts, points, (some, chosen) => {
      const { score, signals } = judgeRisk(some, { points: chosen });
      const sum = signals.reduce((total, one) => total + chosen[one.signal], 0);
      expect(score).toBe(Math.min(100, sum));
      for (const one of signals) {
        expect(one.points).toBe(chosen[one.signal]);
        expect(one.points).toBeGreaterThan(0);
      }
      expect(new Set(signals.map(({ signal }) => signal)).size).toBe(signals.length);
    }),
  );
});

test('points decide how much a signal counts, and nothing else', () => {
  fc.assert(
    fc.property(facts, points, (some, chosen) => {
      // Which of the two stands for a network depends on their points.
      fc.pre(chosen.ring >= chosen.same_network);
      const all = judgeRisk(some, DEFAULT_RISK_POLICY).signals;
      expect(judgeRisk(some, { points: chosen }).signals).toEqual(
        all.flatMap((one) =>
          chosen[one.signal] === 0 ? [] : [{ ...one, points: chosen[one.signal] }],
        ),
      );
    }),
  );
});

test('more of what is counted never lowers a score', () => {
  const counted = fc.constantFrom(
    ...(['sharedNetworks', 'sameAddresses', 'similarAddresses', 'sharedPayouts'] as const),
    ...(['sharedCards', 'refereesOnNetwork', 'refereesOnPayout', 'refundedPurchases'] as const),
    ...(['referralsInHour', 'referralsInDay'] as const),
  );
  fc.assert(
    fc.property(facts, counted, (some, name) => {
      const more = { ...some, [name]: some[name] + 1 };
      const before = judgeRisk(some, DEFAULT_RISK_POLICY).score;
      expect(judgeRisk(more, DEFAULT_RISK_POLICY).score).toBeGreaterThanOrEqual(before);
    }),
  );
});

test('every signal can fire, and says why in one sentence', () => {
  const seen = new Set<RiskSignal>();
  fc.assert(
    fc.property(facts, (some) => {
      for (const fired of judgeRisk(some, DEFAULT_RISK_POLICY).signals) {
        seen.add(fired.signal);
        expect(explainSignal(fired, some)).toMatch(/^[A-Z0-9][^.]+\.$/);
      }
    }),
    { numRuns: 300 },
  );
  expect([...seen].toSorted()).toEqual([...RISK_SIGNALS].toSorted());
});

test.each<[Partial<RiskFacts>, string]>([
  [{ sharedNetworks: 1 }, 'The referrer and the referee were seen in the same network.'],
  [
    { referralsInHour: THRESHOLDS.inHour, usualPerDay: 1 },
    'The referrer brought 20 people within an hour, and at most 1 a day on average before.',
  ],
  [{ secondsFromClick: 1 }, 'The signup came 1 second after the click.'],
  [{ cycleLength: 3 }, '3 people referred each other in a circle.'],
  [
    { refereesOnNetwork: 2, refereesOnPayout: 4 },
    '4 other referees of the referrer share a payout account with the referee.',
  ],
  [
    { purchases: 5, refundedPurchases: 4 },
    "4 of 5 purchases by the referrer's referees were refunded.",
  ],
  [{ watched: ['network'] }, 'The signup came from a network on the list of watched networks.'],
])('%j is explained', (some, sentence) => {
  const all = { ...NO_RISK, ...some };
  const [fired] = judgeRisk(all, DEFAULT_RISK_POLICY).signals;
  expect(fired && explainSignal(fired, all)).toBe(sentence);
});
