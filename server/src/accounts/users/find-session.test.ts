import { expect, test } from 'vitest';
import { ROLES } from '../../platform/http/access/permissions.ts';
import { mustSetUpTotp } from './find-session.ts';

const user = { id: 'usr_1', email: 'ada@example.com', name: 'Ada', totpEnabled: false };
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
