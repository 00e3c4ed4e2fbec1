import { PERMISSIONS, type Permission } from './permissions.ts';

/** Roles in a Workspace, from the one that may do everything to the read-only one. */
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

/** Whether the role has rights that otherwise only the operator of the installation has: keys, secrets, the team. */
export function mayAdminister(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/**
 * Roles that can move money, or enable others to, need a second factor; operators, who grant, void
 * and erase, if their Workspace requires it.
 */
export function needsTotp(role: Role, operatorsNeedIt: boolean): boolean {
  return mayAdminister(role) || role === 'finance' || (role === 'operator' && operatorsNeedIt);
}

/** Whether `role` may invite, change or remove somebody who has or gets the role `other`. */
export function mayManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}
