import { describe, expect, test } from 'vitest';
import { PROVIDER_METHODS } from '../../../../server/src/outbound/payouts/methods.ts';
import { connectionBody, missingIn, PROVIDERS } from './payout-accounts.ts';

describe('accounts to pay from', () => {
  test('every provider can be connected', () => {
    expect(Object.keys(PROVIDERS).sort()).toEqual([...PROVIDER_METHODS].sort());
  });

  test('credentials stand where the API wants them; what may be empty is null', () => {
    const values = { clientId: ' abcdefgh ', clientSecret: 'secret12', webhookId: '' };
    expect(connectionBody('live', 'paypal', values)).toEqual({
      environment: 'live',
      method: 'paypal',
      paypal: { clientId: 'abcdefgh', clientSecret: 'secret12', webhookId: null },
    });
    expect(connectionBody('sandbox', 'stripe_connect', { secretKey: 'sk_test_1' })).toEqual({
      environment: 'sandbox',
      method: 'stripe_connect',
      stripeConnect: { secretKey: 'sk_test_1', webhookSecret: null },
    });
  });

  test('what is needed and missing is named', () => {
    expect(missingIn('wise', { token: ' ' })).toEqual(['profileId', 'token']);
    expect(missingIn('wise', { profileId: '1', token: 'x' })).toEqual([]);
  });
});
