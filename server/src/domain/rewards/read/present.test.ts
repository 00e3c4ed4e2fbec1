import { expect, test } from 'vitest';
import {
  aRule,
  customTerms,
  discountTerms,
  STORAGE,
  someTerms,
} from '../../../../test/program-book.ts';
import { API_VERSIONS } from '../../../platform/feed/api-versions.ts';
import { openEvents } from '../../../platform/feed/render-event.ts';
import { DEFAULT_DELIVERY } from '../../programs/delivery-methods.ts';
import type { TermsVersion } from '../../programs/program-book.ts';
import { calculateReward } from '../decide/calculate-reward.ts';
import { makeReward } from '../decide/earn-rewards.ts';
import { rewardData, toReward } from './present.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const party = { participantId: 'par', kind: 'group', externalId: 'acme' };

function make(terms: TermsVersion) {
  const calculated = calculateReward(terms, null);
  if ('skipped' in calculated) throw new Error(calculated.skipped);
  return makeReward(
    { projectId: 'prj', now: NOW, newId: (prefix) => `${prefix}_new` },
    { verdict: 'earned', rule: aRule([terms]), terms, beneficiaryId: 'par', ...calculated },
    {
      number: 1,
      programId: 'prg',
      eventId: 'evt',
      referralId: null,
      isUnderReview: false,
      purchaseId: null,
      signupPersonId: null,
      delivery: DEFAULT_DELIVERY,
    },
  );
}

test('a Reward has exactly the fields of the contract, empty ones null (D-GEN-3)', () => {
  expect(toReward(make(someTerms()), null, party)).toEqual({
    id: 'rwd_new',
    projectId: 'prj',
    programId: 'prg',
    ruleId: 'rul',
    termsVersionId: 'trm',
    eventId: 'evt',
    beneficiaryRole: 'referrer',
    beneficiary: party,
    benefitKind: 'cash',
    money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
    discount: null,
    custom: null,
    tier: null,
    milestone: null,
    earnedAt: NOW,
    availableAt: NOW,
    fulfillmentStatus: 'pending',
    fulfillment: null,
    revocation: null,
    delivery: {
      method: 'operator',
      status: 'pending',
      reason: 'awaiting_operator',
      providerReference: null,
    },
    void: null,
  });
});

test('a net of zero is money still', () => {
  const refunded = { ...make(someTerms()), netAmountMinor: 0n };
  expect(toReward(refunded, null, party).money).toMatchObject({
    amountMinor: '1000',
    netAmountMinor: '0',
  });
});

test('exactly one of money, discount and custom is set, by the kind of benefit', () => {
  const all = [someTerms(), someTerms({ benefitKind: 'credit' }), discountTerms(), customTerms()];
  const set = all.map((terms) => {
    const { money, discount, custom } = toReward(make(terms), terms.unit, party);
    return Object.entries({ money, discount, custom }).flatMap(([name, value]) =>
      value === null ? [] : [name],
    );
  });
  expect(set).toEqual([['money'], ['money'], ['discount'], ['custom']]);
});

test('a discount tells its life, a custom Reward the names of its unit', () => {
  const discount = discountTerms({ durationMode: 'forever' });
  expect(toReward(make(discount), null, party).discount).toEqual({
    rateBps: 2_000,
    durationMode: 'forever',
    durationMonths: null,
  });
  expect(toReward(make(customTerms()), STORAGE, party).custom).toEqual({
    quantity: 5,
    customUnitId: 'unit',
    unitKey: 'gigabyte',
    unitName: 'gigabyte',
    unitNamePlural: 'gigabytes',
    validityDays: 30,
    plan: null,
    periods: null,
  });
});

test('a custom Reward without its unit is a broken store, not a Reward without a name', () => {
  expect(() => toReward(make(customTerms()), null, party)).toThrow(/rwd_new/);
});

test('an event keeps only the id of the beneficiary, and shows the same Reward once read (D-WH-5)', async () => {
  const row = make(customTerms());
  const data = JSON.stringify({ reward: rewardData(row, STORAGE) });
  expect(data).not.toContain('acme');
  const deps = {
    apiVersions: API_VERSIONS,
    findParties: async (_: string, ids: readonly string[]) => new Map(ids.map((id) => [id, party])),
    findProperties: async () => new Map(),
  };
  const project = { id: 'prj', environment: 'live' } as const;
  const event = { position: 1, id: 'wev', type: 'reward.earned', occurredAt: NOW, data };
  const [rendered] = await openEvents(deps, project, [event]);
  expect(JSON.parse(rendered?.render('2026-10-04') ?? '').data).toEqual({
    reward: toReward(row, STORAGE, party),
  });
});
