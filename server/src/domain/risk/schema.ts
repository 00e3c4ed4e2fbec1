import Type, { type Static } from 'typebox';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import {
  Closed,
  IdOf,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
} from '../../platform/kit/schema.ts';
import { RISK_MODES, RISK_SIGNALS } from '../programs/policies/risk-policy.ts';
import { Points, riskChanges } from '../programs/policies/risk-schema.ts';
import { AfterVersion } from '../programs/schema.ts';

const Id = Type.String();

// Policies

const choiceFields = {
  mode: OneOf(RISK_MODES),
  points: Type.Object(
    Object.fromEntries(RISK_SIGNALS.map((signal) => [signal, Points])) as Record<
      (typeof RISK_SIGNALS)[number],
      typeof Points
    >,
  ),
  reviewAt: Type.Integer(),
};

export const RiskChoice = Type.Object(choiceFields, {
  title: 'RiskChoice',
  description: 'What a policy says.',
});

export const RiskPolicy = Type.Object(
  {
    id: Id,
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Id,
    programId: Id,
    version: Type.Integer(),
    ...choiceFields,
    effectiveAt: InstantOut,
    author: Type.String({ description: '`key:<id>` or `user:<id>`.' }),
  },
  { title: 'RiskPolicy' },
);
export type RiskPolicy = Static<typeof RiskPolicy>;

export const PublishRiskPolicy = Closed({
  ...riskChanges,
  effectiveAt: Opt(InstantIn),
  afterVersion: AfterVersion,
});
export type PublishRiskPolicy = Static<typeof PublishRiskPolicy>;

// Verdicts

const FiredSignal = Type.Object(
  {
    signal: OneOf(RISK_SIGNALS),
    value: Type.String({ description: 'What was found: a count, seconds or a percentage.' }),
    points: Type.Integer(),
    sentence: Type.String(),
  },
  { title: 'FiredSignal' },
);

/** How the referral of an Event was judged. Part of its explanation. */
export const RiskVerdict = Type.Object(
  {
    referralId: Id,
    policyVersionId: Nullable(Id),
    mode: OneOf(RISK_MODES),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    reviewAt: Type.Integer(),
    signals: Type.Array(FiredSignal),
    reviewId: Nullable(Id),
  },
  { title: 'RiskVerdict' },
);
export type RiskVerdict = Static<typeof RiskVerdict>;

// Reviews

export const REVIEW_STATUSES = ['open', 'approved', 'rejected'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];
const REVIEW_DECISIONS = ['approve', 'reject'] as const;

const Party = Type.Object({
  participantId: Id,
  kind: OneOf(['individual', 'group']),
  externalId: Nullable(Type.String()),
});

const reviewFields = {
  id: Id,
  projectId: Id,
  programId: Id,
  referralId: Id,
  referrer: Party,
  referee: Party,
  status: OneOf(REVIEW_STATUSES),
  score: Type.Integer(),
  reviewAt: Type.Integer(),
  signals: Type.Array(FiredSignal),
  policyVersionId: Id,
  eventId: Id,
  openedAt: InstantOut,
  decidedAt: Nullable(InstantOut),
  decidedBy: Nullable(Type.String({ description: '`key:<id>` or `user:<id>`.' })),
  note: Nullable(Type.String()),
  heldRewards: Type.Integer({ description: 'Rewards that wait for the decision.' }),
  heldAmounts: Type.Array(
    Type.Object({
      currency: Type.String(),
      currencyExponent: Type.Integer(),
      amountMinor: Type.String(),
    }),
    { description: 'What those of them that are money are worth, after refunds.' },
  ),
};

export const RiskReview = Type.Object(reviewFields, { title: 'RiskReview' });
export type RiskReview = Static<typeof RiskReview>;

export const ListReviews = Type.Object({
  status: Type.Optional(OneOf(REVIEW_STATUSES)),
  programId: Type.Optional(IdOf('program')),
  signal: Type.Optional(OneOf(RISK_SIGNALS, { description: 'Only reviews in which it fired.' })),
  referralId: Type.Optional(IdOf('referral')),
  ...cursorQuery,
});
export type ListReviews = Static<typeof ListReviews>;

export const RING_LINKS = ['referral', 'network', 'payout', 'card', 'email'] as const;

export const RiskReviewDetail = Type.Object(
  {
    ...reviewFields,
    /** Of the person who was referred, 100 at most. */
    purchases: Type.Integer(),
    refundedPurchases: Type.Integer(),
    /** The other referrals of the referrer, the newest first, 50 at most. */
    otherReferrals: Type.Array(
      Type.Object({
        referralId: Id,
        referee: Party,
        boundAt: InstantOut,
        score: Nullable(Type.Integer()),
        reviewStatus: Nullable(OneOf(REVIEW_STATUSES)),
        purchases: Type.Integer(),
        refundedPurchases: Type.Integer(),
      }),
    ),
    /** The rewards of the referral. */
    rewardIds: Type.Array(Id),
    /** People around the referral and what they share. */
    ring: Type.Object({
      people: Type.Array(Party),
      links: Type.Array(Type.Object({ from: Id, to: Id, kind: OneOf(RING_LINKS) })),
    }),
  },
  { title: 'RiskReviewDetail' },
);
export type RiskReviewDetail = Static<typeof RiskReviewDetail>;

export const DecideReview = Closed({
  decision: OneOf(REVIEW_DECISIONS),
  note: Opt(
    Type.String({
      maxLength: 500,
      description: 'For your own use. Cleared when either person is erased.',
    }),
  ),
});
export type DecideReview = Static<typeof DecideReview>;

// Lists

export const LIST_MAX = 1_000;
const Domain = Type.String({
  maxLength: 253,
  pattern: '^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)+$',
});
const Cidr = Type.String({
  maxLength: 43,
  description: 'An address or a range: `203.0.113.0/24`, `2001:db8::/48`.',
});
const listed = (item: Type.TString) => Type.Array(item, { maxItems: LIST_MAX, uniqueItems: true });
const Listed = Closed({
  emailDomains: listed(Domain),
  networks: listed(Cidr),
  participants: Type.Array(
    Closed({
      kind: OneOf(['individual', 'group']),
      externalId: Type.String({ minLength: 1, maxLength: 255 }),
    }),
    { maxItems: LIST_MAX },
  ),
});

export const RiskLists = Type.Object(
  { allowed: Listed, watched: Listed, updatedAt: Nullable(InstantOut) },
  { title: 'RiskLists' },
);
export type RiskLists = Static<typeof RiskLists>;

export const ChangeRiskLists = Closed({ allowed: Listed, watched: Listed });
export type ChangeRiskLists = Static<typeof ChangeRiskLists>;

// Figures

export const SignalFigures = Type.Object(
  {
    signal: OneOf(RISK_SIGNALS),
    open: Type.Integer(),
    approved: Type.Integer(),
    rejected: Type.Integer({ description: 'Reviews with this signal that were rejected.' }),
  },
  { title: 'SignalFigures' },
);
export type SignalFigures = Static<typeof SignalFigures>;

/** What a policy would have done with the scores that were kept. */
export const RiskPreview = Type.Object(
  {
    judged: Type.Integer({ description: 'Referrals whose signals are known.' }),
    reviewed: Type.Integer({ description: 'Those that would have been reviewed.' }),
    bySignal: Type.Array(Type.Object({ signal: OneOf(RISK_SIGNALS), count: Type.Integer() })),
    examples: Type.Array(
      Type.Object({ referralId: Id, referrer: Party, referee: Party, score: Type.Integer() }),
    ),
  },
  { title: 'RiskPreview' },
);
export type RiskPreview = Static<typeof RiskPreview>;
