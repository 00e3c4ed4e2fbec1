import { describe, expect, test } from 'vitest';
import {
  type Application,
  isErased,
  type Partner,
  stateOfApplication,
  stateOfPartner,
} from './states.ts';

const application = (change: Partial<Application>) =>
  ({
    status: 'pending',
    emailVerifiedAt: null,
    name: 'Ada',
    email: 'a@example.com',
    ...change,
  }) as Application;

describe('where an applicant stands', () => {
  test.each([
    ['pending', null, 'E-mail not verified'],
    ['pending', '2026-11-15T09:30:00.000Z', 'Waiting for you'],
    ['approved', '2026-11-15T09:30:00.000Z', 'Approved'],
    ['rejected', null, 'Rejected'],
    ['withdrawn', null, 'Withdrawn'],
  ] as const)('%s, verified at %s: %s', (status, emailVerifiedAt, label) => {
    expect(stateOfApplication(application({ status, emailVerifiedAt })).label).toBe(label);
  });

  test('somebody whose words are gone was erased', () => {
    expect(isErased(application({ name: null, email: null }))).toBe(true);
    expect(isErased(application({}))).toBe(false);
  });
});

test('an erased partner is erased, whatever it was before', () => {
  const partner = { status: 'active', erasedAt: '2026-11-15T09:30:00.000Z' } as Partner;
  expect(stateOfPartner(partner).label).toBe('Erased');
  expect(stateOfPartner({ ...partner, erasedAt: null }).label).toBe('Active');
});
