import { expect, test } from 'vitest';
import { describeFound } from './describe-found.ts';

const ada = {
  participantId: 'par_1',
  kind: 'individual',
  externalId: '42',
  name: 'Ada',
  partnerId: null,
  deletedAt: null,
} as const;
const found = { type: 'participant', id: 'par_1', detail: null, participant: ada } as const;

test('below somebody’s name is their external id, and whether they are a partner', () => {
  expect(describeFound(found)).toBe('42');
  expect(describeFound({ ...found, participant: { ...ada, name: null } })).toBeUndefined();
  const partner = { ...ada, externalId: null, partnerId: 'ptn_1' };
  expect(describeFound({ ...found, participant: partner })).toBe('Partner');
  const deletedAt = '2026-11-15T09:30:00.000Z';
  expect(
    describeFound({ ...found, participant: { ...partner, name: null, deletedAt } }),
  ).toBeUndefined();
});

test('anything else is said to be what it is, and whose', () => {
  expect(describeFound({ ...found, type: 'referral_code', id: 'cod_1' })).toBe(
    'Referral code of Ada',
  );
  expect(
    describeFound({ type: 'event', id: 'evt_1', detail: 'no_referral', participant: null }),
  ).toBe('Event · No referral');
});
