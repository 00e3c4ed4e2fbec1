import { describe, expect, test } from 'vitest';
import {
  problemOfKey,
  problemOfSecret,
  type StripeConnection,
  stateOfConnection,
} from './stripe.ts';

describe('what Stripe is connected by', () => {
  test.each([
    ['rk_live_abcdefgh', 'live', null],
    ['rk_test_abcdefgh', 'sandbox', null],
    ['rk_test_abcdefgh', 'live', 'live mode'],
    ['rk_live_abcdefgh', 'sandbox', 'test mode'],
    ['sk_live_abcdefgh', 'live', 'not a restricted key'],
    ['rk_live_', 'live', 'rk_live_'],
    ['', 'live', 'rk_live_'],
  ] as const)('%s in %s: %s', (key, environment, problem) => {
    const found = problemOfKey(key, environment);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  test('a signing secret is known by how it begins', () => {
    expect(problemOfSecret('whsec_abcdefgh')).toBeNull();
    expect(problemOfSecret('rk_live_abcdefgh')).not.toBeNull();
  });

  test.each([
    ['active', true, 'Connected'],
    ['active', false, 'Needs its signing secret'],
    ['disabled', false, 'Disabled'],
    ['disabled', true, 'Disabled'],
  ] as const)('%s, with a secret: %s: %s', (status, hasWebhookSecret, label) => {
    const connection = { status, hasWebhookSecret } as StripeConnection;
    expect(stateOfConnection(connection).label).toBe(label);
  });
});
