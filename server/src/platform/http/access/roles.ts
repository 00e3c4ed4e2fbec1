import { PERMISSIONS, type Permission } from './permissions.ts';

/** What people are in a Workspace, from the one who may do everything to the one who looks. */
export const ROLES = ['owner', 'admin', 'operator', 'finance', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const READS = PERMISSIONS.filter((permission) => permission.endsWith(':read'));

const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS,
  operator: [
    ...READS,
    'track:write',
    'participants:write',
    'referrals:write',
    'rewards:write',
    'partners:write',
  ],
  finance: [...READS, 'payouts:write'],
  viewer: READS,
};

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS_OF[role];
}

/** Whether the role has what else only the operator of the installation may: keys, secrets, the team. */
export function mayAdminister(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/**
 * Whoever can move money, or give others the means to, needs a second factor; operators, who grant,
 * void and erase, where their Workspace says so.
 */
export function needsTotp(role: Role, operatorsNeedIt: boolean): boolean {
  return mayAdminister(role) || role === 'finance' || (role === 'operator' && operatorsNeedIt);
}

/** Whether `role` may bring in, change or remove somebody who is or becomes `other`. */
export function mayManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}
