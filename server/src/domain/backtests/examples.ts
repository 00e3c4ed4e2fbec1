import type { Backtest, BacktestWithResult, Difference } from './schema.ts';

const ADA = {
  participantId: 'par_01ka3m…',
  kind: 'individual',
  externalId: 'user-42',
} as const;

export const backtestExample: Backtest = {
  id: 'btt_01ka9z…',
  projectId: 'prj_01ka3m…',
  programId: 'prg_01ka3m…',
  from: '2026-07-01T00:00:00.000Z',
  to: '2026-10-01T00:00:00.000Z',
  status: 'queued',
  progress: { done: 0, all: null },
  failure: null,
  createdAt: '2026-10-12T09:30:00.000Z',
  createdBy: 'key:key_01ka3m…',
  startedAt: null,
  finishedAt: null,
};

const GIVEN = {
  totals: [{ currency: 'USD', actualMinor: '412000', proposedMinor: '365000' }],
  units: [],
  discounts: null,
};

export const withResultExample: BacktestWithResult = {
  ...backtestExample,
  status: 'done',
  progress: { done: 18_400, all: 18_400 },
  startedAt: '2026-10-12T09:30:01.000Z',
  finishedAt: '2026-10-12T09:30:04.000Z',
  definition: {
    apiVersion: 'goodword/v1',
    kind: 'Program',
    attributionPolicy: { windowDays: 30 },
  },
  ...GIVEN,
  otherPrograms: [],
  byRule: [{ ruleId: 'rul_01ka3m…', programId: 'prg_01ka3m…', name: 'Thanks', ...GIVEN }],
  byBeneficiary: {
    up: [],
    down: [{ participant: ADA, currency: 'USD', actualMinor: '52000', proposedMinor: '31000' }],
  },
  byDay: [{ day: '2026-07-01', totals: GIVEN.totals }],
  reviews: { actual: 3, proposed: 3, added: [], removed: [] },
  referrals: { actual: 840, proposed: 771 },
  events: { compared: 9_120, notReproduced: 0, different: 401, listed: 401 },
};

const EXPLANATION = { candidates: [], rules: [], risk: null };

export const differenceExample: Difference = {
  eventId: 'evt_01ka3m…',
  occurredAt: '2026-07-03T11:04:00.000Z',
  lines: [
    {
      ruleId: 'rul_01ka3m…',
      beneficiary: ADA,
      kind: 'money',
      code: 'USD',
      actual: '500',
      proposed: '0',
    },
  ],
  actual: {
    reason: 'attributed',
    programId: 'prg_01ka3m…',
    referrer: ADA,
    explanation: EXPLANATION,
  },
  proposed: { reason: 'no_referral', programId: null, referrer: null, explanation: EXPLANATION },
};
