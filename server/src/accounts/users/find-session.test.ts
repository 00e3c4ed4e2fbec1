import { expect, test } from 'vitest';
import { ROLES } from '../../platform/http/access/permissions.ts';
import { judgeTotp } from './find-session.ts';

const user = { id: 'usr_1', email: 'ada@example.com', name: 'Ada', totpEnabled: false };
const mustSetUpTotp = (
  facts: Omit<Parameters<typeof judgeTotp>[0], 'isLocal'>,
  isRequired: boolean,
) => judgeTotp({ ...facts, isLocal: false }, { isRequired, isLocal: false }).mustSetUpTotp;
const member = (...roles: (typeof ROLES)[number][]) =>
  roles.map((role, index) => ({
    workspaceId: `ws_${index}`,
    workspaceName: 'W',
    role,
    operatorsNeedTotp: false,
  }));

test('owners, admins and finance must set up a second factor, wherever they are that', () => {
  const must = ROLES.filter((role) =>
    mustSetUpTotp({ method: 'password', user, memberships: member('viewer', role) }, true),
  );
  expect(must).toEqual(['owner', 'admin', 'finance']);
});

test('operators must where one of their workspaces says so, and viewers nowhere', () => {
  const strict = (role: (typeof ROLES)[number]) =>
    member('operator', role).map((one, at) => ({ ...one, operatorsNeedTotp: at === 1 }));
  const must = (role: (typeof ROLES)[number]) =>
    mustSetUpTotp({ method: 'password', user, memberships: strict(role) }, true);
  expect([must('operator'), must('viewer')]).toEqual([true, false]);
});

test('not who has one, who comes from the provider, or where it is not required', () => {
  const memberships = member('owner');
  const has = { ...user, totpEnabled: true };
  expect(mustSetUpTotp({ method: 'password', user: has, memberships }, true)).toBe(false);
  expect(mustSetUpTotp({ method: 'oidc', user, memberships }, true)).toBe(false);
  expect(mustSetUpTotp({ method: 'password', user, memberships }, false)).toBe(false);
  expect(mustSetUpTotp({ method: 'password', user, memberships: [] }, true)).toBe(false);
});

test('it may wait only for an account created on this machine, used from this machine', () => {
  const memberships = member('owner');
  const judged = [true, false].flatMap((wasLocal) =>
    [true, false].map((isLocal) => {
      const facts = { method: 'password', user, memberships, isLocal: wasLocal } as const;
      const { mustSetUpTotp: must, isTotpPostponed } = judgeTotp(facts, {
        isRequired: true,
        isLocal,
      });
      return [wasLocal, isLocal, must, isTotpPostponed];
    }),
  );
  expect(judged).toEqual([
    [true, true, false, true],
    [true, false, true, false],
    [false, true, true, false],
    [false, false, true, false],
  ]);
});

test('nothing is postponed for who has one or needs none', () => {
  const rules = { isRequired: true, isLocal: true };
  const facts = { method: 'password', user, isLocal: true } as const;
  const has = { ...facts, user: { ...user, totpEnabled: true }, memberships: member('owner') };
  for (const one of [has, { ...facts, memberships: member('viewer') }]) {
    expect(judgeTotp(one, rules)).toEqual({ mustSetUpTotp: false, isTotpPostponed: false });
  }
});
