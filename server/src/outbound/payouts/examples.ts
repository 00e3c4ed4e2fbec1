const at = '2026-11-15T09:30:00.000Z';

/** The payout in the API reference. */
export const payoutExample = {
  id: 'po_01ka3m…',
  batchId: 'pob_01ka3m…',
  status: 'paid',
  method: 'manual_export',
  currency: 'USD',
  currencyExponent: 2,
  amountMinor: '1500',
  rewards: [
    {
      rewardId: 'rwd_01ka3m…',
      beneficiary: { participantId: 'par_01ka3m…', kind: 'individual', externalId: '42' },
      amountMinor: '2000',
    },
    {
      rewardId: 'rwd_01ka3k…',
      beneficiary: { participantId: 'par_01ka3m…', kind: 'individual', externalId: '42' },
      amountMinor: '-500',
    },
  ],
  providerReference: 'SEPA-2026-11-15-7',
  createdAt: at,
  paidAt: at,
  failureReason: null,
  failureMessage: null,
};

export const batchExample = {
  id: 'pob_01ka3m…',
  projectIds: ['prj_01ka3m…'],
  method: 'manual_export',
  currency: null,
  cutoffAt: null,
  status: 'draft',
  totals: [{ currency: 'USD', currencyExponent: 2, amountMinor: '1500', payoutCount: 1 }],
  createdBy: 'key:key_01ka3m…',
  createdAt: at,
  updatedAt: at,
  approvedBy: null,
  approvedAt: null,
  submittedAt: null,
  cancelledAt: null,
  failureReason: null,
};
