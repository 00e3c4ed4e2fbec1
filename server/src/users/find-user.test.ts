import { expect, test } from 'vitest';
import { ROLES } from '../http/roles.ts';
import { mustSetUpTotp } from './find-user.ts';

const user = { id: 'usr_1', email: 'ada@example.com', name: 'Ada', totpEnabled: false };
const member = (...roles: (typeof ROLES)[number][]) =>
  roles.map((role, index) => ({ workspaceId: `ws_${index}`, workspaceName: 'W', role }));

test('owners, admins and finance must set up a second factor, wherever they are that', () => {
  const must = ROLES.filter((role) =>
    mustSetUpTotp({ method: 'password', user, memberships: member('viewer', role) }, true),
  );
  expect(must).toEqual(['owner', 'admin', 'finance']);
});

test('not who has one, who comes from the provider, or where it is not required', () => {
  const memberships = member('owner');
  const has = { ...user, totpEnabled: true };
  expect(mustSetUpTotp({ method: 'password', user: has, memberships }, true)).toBe(false);
  expect(mustSetUpTotp({ method: 'oidc', user, memberships }, true)).toBe(false);
  expect(mustSetUpTotp({ method: 'password', user, memberships }, false)).toBe(false);
  expect(mustSetUpTotp({ method: 'password', user, memberships: [] }, true)).toBe(false);
});
