/** The purpose of each role, in a sentence. */
export const ROLES = {
  owner: 'Everything, including managing owners.',
  admin: 'Everything except managing owners: programs, keys, connections, the team.',
  operator: 'Sees everything; grants and voids rewards, decides on partners, corrects data.',
  finance: 'Sees everything; drafts, approves and submits payouts.',
  viewer: 'Sees everything, changes nothing.',
} as const;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as Role[];
