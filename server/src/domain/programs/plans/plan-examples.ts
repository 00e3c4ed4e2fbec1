/** Examples for the API reference. */
const change = {
  action: 'change',
  path: 'deliverySettings.holdDays',
  from: 0,
  to: 14,
  sentence: 'Changes deliverySettings.holdDays from 0 to 14, for rewards earned from now on.',
};
const plan = {
  planId: 'pln_01ka3m…',
  programId: 'prg_01ka3m…',
  changes: [change],
  isEmpty: false,
  digest: 'sha256:9f86d0…',
};

export const planExample = {
  ...plan,
  file: 'apiVersion: goodword/v1\n…',
  inForce: 'apiVersion: goodword/v1\n…',
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: '2026-11-16T09:30:00.000Z',
};

export const appliedExample = {
  ...plan,
  appliedAt: '2026-11-15T09:31:00.000Z',
  appliedBy: 'key:key_01ka3m…',
};

export const keptExample = {
  ...plan,
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: '2026-11-16T09:30:00.000Z',
  appliedAt: null,
  appliedBy: null,
};

export const definitionExample = {
  success: true,
  data: {
    apiVersion: 'goodword/v1',
    kind: 'Program',
    key: 'invite-a-friend',
    programKind: 'referral',
    name: 'Invite a friend',
    rules: {
      'first-purchase': {
        name: 'Ten dollars for each first purchase',
        eventType: 'purchase',
        beneficiaryRole: 'referrer',
        purpose: 'primary',
        terms: {
          benefitKind: 'cash',
          calculation: 'fixed',
          fixedAmountMinor: '1000',
          currency: 'USD',
        },
      },
    },
  },
  file: '# yaml-language-server: $schema=https://goodword.example.com/schemas/program-v1.json\napiVersion: goodword/v1\n…',
  scheduled: [],
} as const;
