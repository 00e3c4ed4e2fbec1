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
