import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../../../test/memory-store.ts';
import { MemoryTracking, parties } from '../../../../test/memory-tracking.ts';
import {
  aPolicy,
  aProgram,
  aRiskPolicy,
  aRule,
  milestoneTerms,
  percentTerms,
  someTerms,
  tieredTerms,
} from '../../../../test/program-book.ts';
import { rounds } from '../../../../test/rounds.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { RISK_SIGNALS, type RiskChoice } from '../../programs/policies/risk-policy.ts';
import type { TrackCommand } from '../batch/needs.ts';
import { normalizeAdjustment, normalizeSubscription } from '../intake/normalize-billing.ts';
import { normalizeEvent, sourceKey } from '../intake/normalize-event.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const HISTORIES = { numRuns: rounds(500, 5_000) };
const FOREVER = { durationMode: 'forever' } as const;
const BONUS = { purpose: 'bonus' } as const;
const USD = { currency: 'USD', currencyExponent: 2 };
const TWO_STEPS = [
  [0, 100],
  [2, 700],
] as const;
const EACH_TWO = { measure: 'purchases', at: 2n, repeat: true } as const;
const NO_POINTS = Object.fromEntries(
  RISK_SIGNALS.map((signal) => [signal, 0]),
) as RiskChoice['points'];
const ONLY_QUICK = { ...NO_POINTS, quick_signup: 50 };
const FIRST = [{ field: 'purchase.isFirst', op: 'eq', value: true }] as const;

/**
 * Ada, a partner, refers in a Program that binds by signup, eve in one that binds by subscription; with caps,
 * months, policies and loyalty. Who comes by Ada's browser signs up too quickly and is reviewed.
 */
function openShop(): MemoryTracking {
  const subject = { beneficiaryRole: 'subject' } as const;
  const rule = (id: string, terms: ReturnType<typeof someTerms>, changes: object = {}) =>
    aRule([{ ...terms, id: `terms of ${id}`, ruleId: id }], { id, ...changes });
  const programs = [
    aProgram({
      id: 'now',
      rules: [
        rule('thanks', someTerms({ maxRewardsPerBeneficiary: 2 }), { eventType: 'signup' }),
        rule('share', percentTerms(333, FOREVER)),
        rule('months', percentTerms(100, { durationMode: 'months', durationMonths: 2 })),
        rule('visits', someTerms(FOREVER), { eventType: 'custom_visit' }),
        rule('growing', tieredTerms('referrals', TWO_STEPS), BONUS),
        rule(
          'this month',
          tieredTerms('revenue', TWO_STEPS, { ...USD, window: 'calendar_month' }),
          BONUS,
        ),
        rule('own', tieredTerms('purchases', TWO_STEPS, { window: 'rolling_30_days' }), {
          beneficiaryRole: 'referee',
        }),
        rule('two friends', milestoneTerms('referrals', 2), { ...BONUS, eventType: 'signup' }),
        rule('each two', milestoneTerms('purchases', 2, { milestone: EACH_TWO }), BONUS),
        rule('first only', someTerms({ ...FOREVER, conditions: FIRST }), BONUS),
      ],
      daysFrom: '2026-10-01',
      riskPolicies: [aRiskPolicy({ mode: 'review', reviewAt: 50, points: ONLY_QUICK })],
    }),
    aProgram({
      id: 'later',
      policies: [aPolicy({ bindingTrigger: 'subscription' })],
      rules: [
        rule('welcome', someTerms(), { eventType: 'signup', beneficiaryRole: 'referee' }),
        rule('all', percentTerms(333, { ...FOREVER, refundPolicy: 'full' })),
        rule('first', percentTerms(500)),
      ],
    }),
    aProgram({
      id: 'loyal',
      kind: 'loyalty',
      rules: [
        rule('points', percentTerms(50, { ...FOREVER, maxRewardsPerBeneficiary: 2 }), subject),
        rule('spent', milestoneTerms('revenue', 1_500, USD), { ...subject, ...BONUS }),
      ],
    }),
  ];
  const shop = new MemoryTracking(NOW, programs, [
    { name: 'ada', programId: 'now', isPartner: true },
    { name: 'eve', programId: 'later' },
  ]);
  shop.openBrowser('browser 1', 'ada-now', null, { utmSource: 'Blog' });
  shop.openBrowser('browser 2', 'eve-later');
  shop.openBrowser('browser 3', 'ada-now');
  return shop;
}
const founded = openShop().state;
const openStore = () => new MemoryStore(founded, NOW);

const maybe = <T>(...some: T[]) => fc.constantFrom(null, ...some);
const party = fc
  .tuple(fc.constantFrom('bob', 'cyd', 'dan', 'Crew', 'Team'), maybe('bob', 'cyd'))
  .map(([name, actor]) => parties(name, name < 'a' ? (actor ?? undefined) : undefined));
const source = { sourceNamespaceId: 'src' };
const at = fc.constantFrom(0, -1, -2).map((ms) => addMs(NOW, ms));
const order = fc.constantFrom('order 1', 'order 2', 'order 3');
const fix = fc.constantFrom('fix 1', 'fix 2', 'fix 3', 'fix 4');

const signup = fc
  .record({
    party,
    refCode: maybe('ada-now', 'eve-later', 'nobody'),
    handle: maybe('browser 1', 'browser 2', 'browser 3'),
  })
  .map(({ party: who, refCode, handle }): TrackCommand => {
    const identify = handle === null ? {} : { identify: { handle } };
    return {
      kind: 'event',
      event: normalizeEvent({ ...source, type: 'signup', refCode, ...who, ...identify }),
    };
  });
const purchase = fc
  .record({
    party,
    sourceEventId: order,
    amountMinor: maybe('0', '1', '999', '1000'),
    invoiceId: maybe('invoice'),
    subscriptionId: maybe('sub'),
  })
  .map(({ party: who, sourceEventId, amountMinor, ...more }): TrackCommand => {
    const bought =
      amountMinor === null ? {} : { purchase: { amountMinor, currency: 'USD', ...more } };
    const body = { ...source, type: 'purchase', sourceEventId, ...who, ...bought };
    return { kind: 'event', event: normalizeEvent(body) };
  });
const visit = party.map(
  (who): TrackCommand => ({
    kind: 'event',
    event: normalizeEvent({ ...source, type: 'custom_visit', sourceEventId: 'visit', ...who }),
  }),
);
const adjustment = fc
  .record({
    kind: fc.constantFrom(
      'refund' as const,
      'dispute' as const,
      'restoration' as const,
      'dispute_lost' as const,
    ),
    sourceEventId: fix,
    order,
    target: fix,
    amountMinor: fc.constantFrom('1', '400', '999', '1000'),
    occurredAt: at,
  })
  .map(({ kind, sourceEventId, order: name, target, amountMinor, occurredAt }): TrackCommand => {
    const money = { amountMinor, currency: 'USD', currencyExponent: 2 };
    const body = { ...source, kind, sourceEventId, purchase: { sourceEventId: name }, occurredAt };
    const more =
      kind === 'dispute_lost'
        ? { closes: target }
        : { ...money, ...(kind === 'restoration' ? { restores: target } : {}) };
    return { kind: 'adjustment', adjustment: normalizeAdjustment({ ...body, ...more }) };
  });
const subscription = fc
  .record({
    party,
    sourceEventId: fc.constantFrom('start 1', 'start 2'),
    occurredAt: at,
    change: fc.constantFrom('started' as const, 'started' as const, 'renewed' as const),
  })
  .map(({ party: { participant }, ...more }): TrackCommand => {
    const body = { ...source, participant, subscriptionId: 'sub', ...more };
    return { kind: 'subscription', subscription: normalizeSubscription(body) };
  });
const imported = party.map(({ participant }): TrackCommand => {
  const sourceEventId = `import of ${participant.externalId}`;
  const body = { ...source, type: 'custom_import', sourceEventId, refCode: 'ada-now', participant };
  return { kind: 'import', event: normalizeEvent(body) };
});
const command = fc.oneof(
  { weight: 4, arbitrary: signup },
  { weight: 5, arbitrary: purchase },
  { weight: 1, arbitrary: visit },
  { weight: 6, arbitrary: adjustment },
  { weight: 3, arbitrary: subscription },
  { weight: 1, arbitrary: imported },
);
const history = fc.array(command, { minLength: 1, maxLength: 6 });

/** Like `toEqual`, which is slow: thousands are compared. */
function expectAlike(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other);
}

/** Splits a list where `isCut` is true. */
function cut<T>(list: readonly T[], isCut: readonly boolean[]): T[][] {
  const batches: T[][] = [[]];
  for (const [index, one] of list.entries()) {
    if (isCut[index]) batches.push([]);
    batches.at(-1)?.push(one);
  }
  return batches;
}

const cuts = fc.oneof(fc.constant(Array<boolean>(6).fill(true)), fc.array(fc.boolean()));

/** Ada's days add up to what is counted of her in all, and nobody else has days. */
function expectDays({ figures }: MemoryStore): void {
  const [sums, totals] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const { subject, part, name, value } of figures.values()) {
    if (value === 0n) continue;
    if (subject.includes(':') && !subject.endsWith(':campaigns')) {
      expect(subject).toBe('ada:now');
      if (name !== 'purchases') sums.set(name, (sums.get(name) ?? 0n) + value);
    } else if (subject === 'ada' && part === 'now') {
      if (name === 'referred') totals.set('referrals', value);
      if (/^(customers$|revenue:|net:)/.test(name)) totals.set(name, value);
    }
  }
  expect(sums).toEqual(totals);
}

test('a batch leaves what the same facts leave one by one, or in smaller batches, and answers alike', () => {
  fc.assert(
    fc.property(history, cuts, (commands, isCut) => {
      const [together, apart] = [openStore(), openStore()];
      const outcomes = together.run(commands);
      const others = cut(commands, isCut).flatMap((batch) => apart.run(batch));
      expectAlike(others, outcomes);
      expectAlike(apart, together);
      expectDays(together);
    }),
    HISTORIES,
  );
});

/** The stored answer of a fact; undefined for one that was refused, or dropped since. */
function keptAnswer(store: MemoryStore, fact: TrackCommand): object | undefined {
  if (fact.kind === 'due') return undefined;
  if (fact.kind === 'event' && fact.event.type === 'signup') {
    const { kind, externalId } = fact.event.participant;
    const who = [...store.participants.values()].find(
      (one) => one.kind === kind && one.externalId === externalId,
    );
    return store.signups.get(who?.id ?? '')?.answer;
  }
  const told =
    'event' in fact ? fact.event : 'adjustment' in fact ? fact.adjustment : fact.subscription;
  const { sourceNamespaceId, sourceEventId, factsHash } = told;
  const key = store.keys.get(sourceKey({ sourceNamespaceId, sourceEventId: sourceEventId ?? '' }));
  return key?.factsHash === factsHash ? key.answer : undefined;
}

test('a fact that is sent again gets the first answer and changes nothing, in whatever batch it comes', () => {
  fc.assert(
    fc.property(history, cuts, (commands, isCut) => {
      const store = openStore();
      for (const batch of cut(commands, isCut)) store.run(batch);
      const again = commands.filter(
        (one) => one.kind !== 'import' && keptAnswer(store, one) !== undefined,
      );
      const before = structuredClone({ ...store });
      const answers = cut(again, isCut).flatMap((batch) => store.run(batch));
      expectAlike(
        answers.map((one) => 'answer' in one && one.answer),
        again.map((one) => keptAnswer(store, one)),
      );
      expectAlike({ ...store }, before);
    }),
    HISTORIES,
  );
});
