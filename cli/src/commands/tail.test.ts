import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { parseSince } from '../parse-since.ts';
import { describeEvent } from './describe-event.ts';
import { matchTypes, runTail } from './tail.ts';

const party = (externalId: string | null) => ({
  participantId: 'par_1',
  kind: 'individual',
  externalId,
});
const reward = {
  id: 'rwd_1',
  beneficiary: party('42'),
  beneficiaryRole: 'referrer',
  benefitKind: 'cash',
  money: { netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
  void: { reasonCode: 'fraud' },
};

test.each([
  ['participant.created', { participant: { ...party('acme'), kind: 'group' } }, 'group acme'],
  ['participant.created', { participant: party(null) }, 'par_1'],
  [
    'referral.created',
    { referral: { referrer: party('42'), referee: party('43') } },
    '42 referred 43',
  ],
  [
    'event.recorded',
    {
      event: {
        id: 'evt_1',
        type: 'purchase',
        participant: party('43'),
        purchase: { amountMinor: '1999', currency: 'JPY', currencyExponent: 0 },
      },
      attribution: { referrer: party('42'), reason: 'attributed' },
    },
    'purchase of 43, 1999 JPY, credited to 42, evt_1',
  ],
  [
    'event.recorded',
    {
      event: { id: 'evt_1', type: 'signup', participant: party('43'), purchase: null },
      attribution: { referrer: null, reason: 'no_candidate' },
    },
    'signup of 43, credited to nobody (no_candidate), evt_1',
  ],
  ['reward.voided', { reward }, '10.00 USD cash for 42 (referrer), fraud, rwd_1'],
  [
    'payout.failed',
    {
      payout: {
        id: 'pay_1',
        method: 'wise',
        amountMinor: '500',
        currency: 'EUR',
        currencyExponent: 2,
        rewards: [{}, {}],
        failureReason: 'account_closed',
      },
    },
    '5.00 EUR by wise for 2 rewards, account_closed, pay_1',
  ],
  ['something.newer', {}, 'wev_1'],
  ['participant.created', { participant: party('a\u001b[2Jb') }, 'a�[2Jb'],
])('%s is one line', (type, data, detail) => {
  const event = { id: 'wev_1', type, occurredAt: '2026-11-15T09:30:00.000Z', data };
  expect(describeEvent(event)).toBe(`2026-11-15 09:30:00Z  ${type.padEnd(19)}  ${detail}`);
});

test('types are told by their names or by how they begin', () => {
  const isSelected = matchTypes(['reward.*', 'payout.paid']);
  expect(['reward.earned', 'payout.paid'].every(isSelected)).toBe(true);
  expect(['payout.failed', 'event.recorded'].some(isSelected)).toBe(false);
  expect(matchTypes(undefined)('anything')).toBe(true);
  expect(() => matchTypes(['reward.*', 'nope'])).toThrow('--type "nope" matches none of ');
});

test('it begins with so many or at a time, not both', async () => {
  const both = runTail({} as Context, { last: 5, since: '2h' });
  await expect(both).rejects.toMatchObject({ exitCode: 2 });
});

test('a beginning is a time or a span before now', () => {
  const now = Date.parse('2026-11-15T09:30:00.000Z');
  expect(parseSince('30m', now)).toBe('2026-11-15T09:00:00.000Z');
  expect(parseSince('7d', now)).toBe('2026-11-08T09:30:00.000Z');
  expect(parseSince('2026-11-01T00:00:00Z', now)).toBe('2026-11-01T00:00:00.000Z');
  expect(parseSince(undefined, now)).toBeNull();
  for (const wrong of ['yesterday', '5', '-1h', '2026-99-99']) {
    expect(() => parseSince(wrong, now)).toThrow('--since must be a time such as');
  }
});
