import { expect, test } from 'vitest';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import { bindSecondFactor, isUnbound, unbindSecondFactor } from './second-factor.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));
const plain = { id: 'utf_1', user_id: 'usr_1', secret: 'aa', backup_codes: 'bb', verified: true };

test('what was bound opens for its user and column only', () => {
  const bound = bindSecondFactor(keyring, 'usr_1', plain);
  expect(isUnbound(bound)).toBe(false);
  expect(unbindSecondFactor(keyring, bound)).toEqual(plain);
  expect(() => unbindSecondFactor(keyring, { ...bound, user_id: 'usr_2' })).toThrow();
  const { secret, backup_codes } = bound;
  const swapped = { ...bound, secret: backup_codes, backup_codes: secret };
  expect(() => unbindSecondFactor(keyring, swapped)).toThrow();
});

test('what is not written is not made up', () => {
  expect(bindSecondFactor(keyring, 'usr_1', { verified: true })).toEqual({ verified: true });
});

test('what an earlier version wrote is read as it is, and known as unbound', () => {
  expect(isUnbound(plain)).toBe(true);
  expect(unbindSecondFactor(keyring, plain)).toEqual(plain);
});
