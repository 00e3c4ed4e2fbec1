const at = '2026-11-15T09:30:00.000Z';

export const sessionExample = {
  sessionId: 'ses_01ka3m…',
  user: { id: 'usr_01ka3m…', email: 'ada@example.com', name: 'Ada Example', totpEnabled: true },
  memberships: [
    {
      workspaceId: 'ws_01ka3m…',
      workspaceName: 'Acme',
      role: 'finance',
      permissions: ['payouts:read', 'payouts:write'],
      mayAdminister: false,
    },
  ],
  mustSetUpTotp: false,
  isTotpPostponed: false,
  expiresAt: at,
};

export const memberExample = {
  id: 'usr_01ka3m…',
  email: 'ada@example.com',
  name: 'Ada Example',
  role: 'finance',
  totpEnabled: true,
  lastSeenAt: at,
  joinedAt: at,
};

export const invitationExample = {
  id: 'inv_01ka3m…',
  workspaceId: 'ws_01ka3m…',
  email: 'grace@example.com',
  role: 'finance',
  status: 'open',
  createdAt: at,
  expiresAt: '2026-11-18T09:30:00.000Z',
  acceptedAt: null,
  revokedAt: null,
};

export const openInvitationExample = {
  workspaceName: 'Acme',
  email: 'grace@example.com',
  role: 'finance',
  expiresAt: '2026-11-18T09:30:00.000Z',
  hasAccount: false,
};

export const acceptedExample = { workspaceId: 'ws_01ka3m…', role: 'finance' };

export const viewExample = {
  id: 'view_01ka3m…',
  list: 'rewards',
  name: 'Pending over 30 days',
  filters: { fulfillmentStatus: 'pending', earned: 'before_30d' },
  invalidFilters: [],
  createdAt: at,
  updatedAt: at,
};
