import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../platform/kit/errors.ts';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import { type Change, offerConfirmation, openConfirmation } from './confirmation.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));
const change: Change = {
  keyId: 'key_1',
  projectId: 'prj_1',
  tool: 'void_reward',
  args: { rewardId: 'rwd_1', reasonCode: 'fraud' },
};
const offered = { id: 'one', pinned: { afterVersion: 3 }, now: '2026-11-15T09:30:00.000Z' };
const { confirmationToken: token, expiresAt } = offerConfirmation(keyring, change, offered);

function reasonOf(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.reason;
    throw error;
  }
  return 'accepted';
}

test('a token confirms its change for ten minutes', () => {
  expect(expiresAt).toBe('2026-11-15T09:40:00.000Z');
  expect(openConfirmation(keyring, token, change, '2026-11-15T09:39:59.999Z')).toEqual({
    id: 'one',
    pinned: { afterVersion: 3 },
  });
  expect(reasonOf(() => openConfirmation(keyring, token, change, expiresAt))).toBe(
    'confirmation_expired',
  );
});

test('the order of the arguments does not matter', () => {
  const same = { ...change, args: { reasonCode: 'fraud', rewardId: 'rwd_1' } };
  expect(openConfirmation(keyring, token, same, offered.now).id).toBe('one');
});

test.each<[string, Partial<Change>]>([
  ['key', { keyId: 'key_2' }],
  ['project', { projectId: 'prj_2' }],
  ['tool', { tool: 'retry_reward' }],
  ['argument', { args: { ...change.args, rewardId: 'rwd_2' } }],
  ['additional argument', { args: { ...change.args, reason: 'x' } }],
  ['missing argument', { args: { rewardId: 'rwd_1' } }],
])('a token is refused for another %s', (_, other) => {
  expect(
    reasonOf(() => openConfirmation(keyring, token, { ...change, ...other }, offered.now)),
  ).toBe('confirmation_invalid');
});

test('a token of another installation, or an altered one, is refused', () => {
  const other = createKeyring(Buffer.alloc(32, 2));
  expect(reasonOf(() => openConfirmation(other, token, change, offered.now))).toBe(
    'confirmation_invalid',
  );
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.base64String({ minLength: 1 }), (at, text) => {
      const altered = token.slice(0, at) + text + token.slice(at + text.length);
      const same = Buffer.from(altered.slice(3), 'base64').equals(
        Buffer.from(token.slice(3), 'base64'),
      );
      fc.pre(!(same && altered.startsWith('v1.')));
      expect(reasonOf(() => openConfirmation(keyring, altered, change, offered.now))).toBe(
        'confirmation_invalid',
      );
    }),
  );
});
