import { expect, test } from 'vitest';
import {
  mayAdminister,
  mayManage,
  needsTotp,
  PERMISSIONS,
  permissionsOf,
  ROLES,
} from './permissions.ts';

const READS = [
  'participants:read',
  'referrals:read',
  'programs:read',
  'partners:read',
  'payouts:read',
  'webhooks:read',
];

test.each([
  ['owner', [...PERMISSIONS]],
  ['admin', [...PERMISSIONS]],
  [
    'operator',
    [
      ...READS,
      'track:write',
      'participants:write',
      'referrals:write',
      'rewards:write',
      'partners:write',
    ],
  ],
  ['finance', [...READS, 'payouts:write']],
  ['viewer', READS],
] as const)('%s has exactly these permissions (D-ADM-2)', (role, permissions) => {
  expect(permissionsOf(role).toSorted()).toEqual(permissions.toSorted());
});

test('owners and admins administer; they and finance need a second factor', () => {
  expect(ROLES.filter(mayAdminister)).toEqual(['owner', 'admin']);
  const needing = (operators: boolean) => ROLES.filter((role) => needsTotp(role, operators));
  expect(needing(false)).toEqual(['owner', 'admin', 'finance']);
  expect(needing(true)).toEqual(['owner', 'admin', 'operator', 'finance']);
});

test('only owners manage owners, and only owners and admins manage anybody', () => {
  const managed = (role: (typeof ROLES)[number]) => ROLES.filter((other) => mayManage(role, other));
  expect(managed('owner')).toEqual([...ROLES]);
  expect(managed('admin')).toEqual(['admin', 'operator', 'finance', 'viewer']);
  for (const role of ['operator', 'finance', 'viewer'] as const) expect(managed(role)).toEqual([]);
});
