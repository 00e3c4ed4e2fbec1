export const PERMISSIONS = [
  'track:write',
  'sources:write',
  'participants:read',
  'participants:write',
  'referrals:read',
  'referrals:write',
  'programs:read',
  'programs:write',
  'rewards:write',
  'partners:read',
  'partners:write',
  'payouts:read',
  'payouts:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Names for the sets of permissions that most keys need. */
export const PERMISSION_PRESETS = {
  full: PERMISSIONS,
  backend: [
    'track:write',
    'sources:write',
    'participants:read',
    'participants:write',
    'referrals:read',
    'referrals:write',
    'programs:read',
    'rewards:write',
    'webhooks:read',
  ],
  fulfillment: ['referrals:read', 'rewards:write', 'webhooks:read'],
  read_only: PERMISSIONS.filter((permission) => permission.endsWith(':read')),
} as const satisfies Record<string, readonly Permission[]>;

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
