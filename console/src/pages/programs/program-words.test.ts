import { expect, test } from 'vitest';
import { describePolicy } from './policy-words.ts';
import { describeStatus, describeUnitTotals } from './program-words.ts';
import type { ProgramStatus } from './queries.ts';
import { type MoveFacts, movesOf } from './status-moves.ts';

const facts = (status: ProgramStatus, change: Partial<MoveFacts> = {}): MoveFacts => ({
  kind: 'referral',
  status,
  landingPageUrl: 'https://example.com',
  startDate: null,
  counts: { enrollments: 120, referrals: 48 },
  ruleCount: 2,
  ...change,
});
const effects = (of: MoveFacts, action: string) =>
  movesOf(of)
    .find((move) => move.action === action)
    ?.effects.join(' ') ?? '';

test('only the moves that the service knows are offered (D-PROG-2)', () => {
  const targets = (status: ProgramStatus) => movesOf(facts(status)).map(({ to }) => to);
  expect(targets('draft')).toEqual(['active', 'archived']);
  expect(targets('active')).toEqual(['paused', 'ended']);
  expect(targets('paused')).toEqual(['active', 'ended']);
  expect(targets('ended')).toEqual(['archived']);
  expect(targets('archived')).toEqual([]);
});

test('each says what it will do, in numbers', () => {
  expect(effects(facts('active'), 'Pause')).toContain('stops new referrals: links of 120 people');
  expect(effects(facts('active'), 'Pause')).toContain('The 48 referrals it has keep earning.');
  expect(effects(facts('active'), 'End')).toContain('the 48 referrals it has stop earning');
  expect(effects(facts('paused'), 'Resume')).toContain('Links of 120 people bring referrals again');
  expect(effects(facts('active', { counts: { enrollments: 1, referrals: 1 } }), 'Pause')).toContain(
    'The one referral',
  );
});

test('a paused loyalty program earns nothing, where a referral program goes on (D-PROG-3)', () => {
  expect(effects(facts('active', { kind: 'loyalty' }), 'Pause')).toContain('Nothing is earned');
});

test('what cannot be undone is marked so', () => {
  const dangerous = (status: ProgramStatus) =>
    movesOf(facts(status))
      .filter((move) => move.isDangerous)
      .map(({ to }) => to);
  expect(dangerous('draft')).toEqual(['archived']);
  expect(dangerous('active')).toEqual(['ended']);
  expect(dangerous('ended')).toEqual(['archived']);
});

test('without a landing page it cannot be activated, and it says why; loyalty needs none', () => {
  const obstacle = (change: Partial<MoveFacts>) =>
    movesOf(facts('draft', { landingPageUrl: '', ...change }))[0]?.obstacle;
  expect(obstacle({})).toContain('landing page');
  expect(obstacle({ kind: 'loyalty' })).toBeNull();
});

test('activating without rules says that nobody earns', () => {
  expect(effects(facts('draft', { ruleCount: 0 }), 'Activate')).toContain('no rules yet');
});

test('what is active but begins later is scheduled', () => {
  const later = {
    kind: 'referral',
    status: 'active',
    startDate: '2027-01-01T00:00:00.000Z',
  } as const;
  expect(describeStatus(later, Date.parse('2026-11-15')).label).toBe('Scheduled');
  expect(describeStatus(later, Date.parse('2027-01-02')).label).toBe('Active');
});

test('a policy in words', () => {
  const policy = { model: 'last_touch', windowDays: 90, bindingTrigger: 'signup' } as const;
  expect(describePolicy(policy, 'referral')).toBe(
    'A person who signs up within 90 days of a click counts for the person whose link they clicked last. A typed code takes precedence over clicks.',
  );
  expect(
    describePolicy(
      { model: 'first_touch', windowDays: 1, bindingTrigger: 'subscription' },
      'affiliate',
    ),
  ).toContain(
    'A person who starts a subscription within 1 day of a click counts for the partner whose link they clicked first.',
  );
});

test('what was earned of a unit, without what is nothing', () => {
  const unit = {
    customUnitId: 'unit_1',
    unitKey: 'free_month',
    name: 'free month',
    namePlural: 'free months',
    rewardCount: 14,
    earnedQuantity: 14,
    fulfilledQuantity: 4,
    pendingQuantity: 10,
    voidedQuantity: 0,
  };
  expect(describeUnitTotals(unit)).toBe('14 free months earned: 4 granted, 10 waiting.');
  const one = { ...unit, earnedQuantity: 1, fulfilledQuantity: 0, pendingQuantity: 0 };
  expect(describeUnitTotals({ ...one, voidedQuantity: 1 })).toBe('1 free month earned: 1 voided.');
});
