import type { Instant } from '../../../platform/kit/instant.ts';

/** What can speak against a referral, and how many points each has unless a policy says otherwise. */
export const DEFAULT_POINTS = {
  same_network: 25,
  velocity: 30,
  quick_signup: 30,
  email_alias: 60,
  email_similar: 60,
  email_disposable: 40,
  shared_payout: 70,
  shared_payment: 60,
  ring: 50,
  refund_rate: 60,
} as const;

export type RiskSignal = keyof typeof DEFAULT_POINTS;
export const RISK_SIGNALS = Object.keys(DEFAULT_POINTS) as RiskSignal[];
type RiskPoints = Readonly<Record<RiskSignal, number>>;

export const RISK_MODES = ['off', 'observe', 'review'] as const;

export interface RiskChoice {
  readonly mode: (typeof RISK_MODES)[number];
  readonly points: RiskPoints;
  /** The score from which a referral is reviewed. */
  readonly reviewAt: number;
}

/** Applies to a Program without a policy of its own. */
export const DEFAULT_RISK_POLICY: RiskChoice = {
  mode: 'observe',
  points: DEFAULT_POINTS,
  reviewAt: 60,
};

/** A published version; immutable. */
export interface RiskPolicyVersion extends RiskChoice {
  readonly id: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly projectId: string;
  readonly programId: string;
  readonly version: number;
  readonly effectiveAt: Instant;
  readonly author: string;
}

/** What a caller chooses; the rest is by default. */
export interface AskedRisk {
  readonly mode?: RiskChoice['mode'] | null;
  readonly points?: { readonly [S in RiskSignal]?: number | null } | null;
  readonly reviewAt?: number | null;
}

export function chooseRisk({ mode, points, reviewAt }: AskedRisk): RiskChoice {
  return {
    mode: mode ?? DEFAULT_RISK_POLICY.mode,
    points: Object.fromEntries(
      RISK_SIGNALS.map((signal) => [signal, points?.[signal] ?? DEFAULT_POINTS[signal]]),
    ) as RiskPoints,
    reviewAt: reviewAt ?? DEFAULT_RISK_POLICY.reviewAt,
  };
}
