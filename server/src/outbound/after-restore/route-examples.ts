import type { PayoutAdvance, Restore } from './schema.ts';

const at = '2026-11-15T09:30:00.000Z';

export const restoreExample: Restore = {
  id: 'rst_01ka3m…',
  workspaceId: 'ws_01ka3m…',
  status: 'held',
  cause: 'backup',
  since: '2026-11-15T02:00:00.000Z',
  note: null,
  declaredBy: 'system:restores',
  createdAt: at,
  releasedAt: null,
  releasedBy: null,
  checks: [
    {
      connectionId: 'pcn_3vq8d1…',
      method: 'wise',
      environment: 'live',
      projectId: null,
      status: 'asked',
      adopted: 1,
      message: null,
      askedAt: at,
      override: null,
    },
  ],
  transfers: [
    {
      currency: 'USD',
      currencyExponent: 2,
      count: 1,
      amountMinor: '4500',
      leftMinor: '4500',
      unassignedCount: 0,
    },
  ],
  credits: [],
  files: [
    {
      batchId: 'pob_01ka3m…',
      environment: 'live',
      projectIds: ['prj_01ka3m…'],
      status: 'approved',
      totals: [{ currency: 'USD', currencyExponent: 2, amountMinor: '3000', payoutCount: 2 }],
    },
  ],
  canRelease: true,
};

export const advanceExample: PayoutAdvance = {
  id: 'adv_01ka3m…',
  restoreId: 'rst_01ka3m…',
  environment: 'live',
  connectionId: 'pcn_3vq8d1…',
  method: 'wise',
  reference: '5000017',
  payoutId: null,
  payee: { partnerId: null, projectId: 'prj_01ka3m…', participantId: 'par_01ka3m…' },
  account: 'DE•• •••• 3000',
  currency: 'USD',
  currencyExponent: 2,
  amountMinor: '4500',
  leftMinor: '4500',
  madeAt: '2026-11-15T07:12:09.000Z',
  status: 'counted',
  reason: null,
  decidedBy: null,
  uses: [],
};
