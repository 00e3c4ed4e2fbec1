import { expect, test } from 'vitest';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import { makeUnsubscribeToken, readUnsubscribeToken } from './unsubscribe-token.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));
const subscription = {
  projectId: 'prj_01ka3m',
  recipientId: 'par_01ka3m',
  kind: 'reward_earned',
} as const;

test('a token says who unsubscribes from what', () => {
  const token = makeUnsubscribeToken(keyring, subscription);
  expect(readUnsubscribeToken(keyring, token)).toEqual(subscription);
});

test('a token of others, or one that was changed, is refused', () => {
  const token = makeUnsubscribeToken(keyring, subscription);
  const foreign = makeUnsubscribeToken(createKeyring(Buffer.alloc(32, 8)), subscription);
  const changed = token.replace('par_01ka3m', 'par_01ka3n');
  for (const bad of ['', 'x', foreign, changed, token.slice(0, -1), `${token}a`]) {
    expect(readUnsubscribeToken(keyring, bad)).toBeUndefined();
  }
});
