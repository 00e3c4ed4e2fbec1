import { DEFAULT_POINTS } from '../programs/policies/risk-policy.ts';

/** Examples for the API reference. */
const at = '2026-11-15T09:30:00.000Z';

export const policyExample = {
  id: 'rkp_01ka3m…',
  createdAt: at,
  updatedAt: at,
  projectId: 'prj_01ka3m…',
  programId: 'prg_01ka3m…',
  version: 1,
  mode: 'review' as const,
  points: { ...DEFAULT_POINTS, same_network: 10 },
  reviewAt: 70,
  effectiveAt: at,
  author: 'key:key_01ka3m…',
};

export const listsExample = {
  allowed: { emailDomains: ['example.edu'], networks: ['203.0.113.0/24'], participants: [] },
  watched: {
    emailDomains: ['mail.example.net'],
    networks: [],
    participants: [{ kind: 'individual' as const, externalId: 'user-7' }],
  },
  updatedAt: at,
};
