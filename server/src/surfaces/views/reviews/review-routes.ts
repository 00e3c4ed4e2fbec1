import Type from 'typebox';
import { listReviews, showSignalFigures } from '../../../domain/risk/reviews/list-reviews.ts';
import {
  DecideReview,
  ListReviews,
  RiskReview,
  RiskReviewDetail,
  SignalFigures,
} from '../../../domain/risk/schema.ts';
import { recordDecision } from '../../../domain/tracking/reviews/record-decision.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { CursorList } from '../../../platform/http/routes/paging.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { IdOf } from '../../../platform/kit/schema.ts';
import { showReview } from './show-review.ts';

const TAG = 'Risk';
const READ = ['referrals:read'] as const;
const NO_REVIEW = { code: 'NOT_FOUND', when: 'the review does not exist' } as const;

const person = (participantId: string, externalId: string) => ({
  participantId,
  kind: 'individual' as const,
  externalId,
});
const reviewExample = {
  id: 'rvw_01ka3m…',
  projectId: 'prj_01ka3m…',
  programId: 'prg_01ka3m…',
  referralId: 'ref_01ka3m…',
  referrer: person('par_01ka3m…', '42'),
  referee: person('par_01ka3n…', '43'),
  status: 'open',
  score: 85,
  reviewAt: 60,
  signals: [
    {
      signal: 'email_alias',
      value: '1',
      points: 60,
      sentence: '1 person around the referrer has the same e-mail address but for tags and dots.',
    },
  ],
  policyVersionId: 'rkp_01ka3m…',
  eventId: 'evt_01ka3m…',
  openedAt: '2026-11-15T09:30:00.000Z',
  decidedAt: null,
  decidedBy: null,
  note: null,
  heldRewards: 1,
  heldAmounts: [{ currency: 'EUR', currencyExponent: 2, amountMinor: '1000' }],
};
const detailExample = {
  ...reviewExample,
  purchases: 1,
  refundedPurchases: 0,
  otherReferrals: [
    {
      referralId: 'ref_01ka2z…',
      referee: person('par_01ka2z…', '40'),
      boundAt: '2026-11-14T10:00:00.000Z',
      score: 0,
      reviewStatus: null,
      purchases: 2,
      refundedPurchases: 0,
    },
  ],
  rewardIds: ['rwd_01ka3m…'],
  ring: {
    people: [reviewExample.referrer, reviewExample.referee],
    links: [
      { from: 'par_01ka3m…', to: 'par_01ka3n…', kind: 'referral' },
      { from: 'par_01ka3m…', to: 'par_01ka3n…', kind: 'email' },
    ],
  },
};

interface ReviewDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
}

/** Reviews join what several domains know about two people. */
export function reviewRoutes({ writer, database }: ReviewDeps): Route[] {
  const { reads } = database;
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/risk-reviews',
      tag: TAG,
      summary: 'List reviews of referrals, newest first',
      description:
        'A review is opened when the risk policy of a Program is in mode `review` and the score of a referral reaches `reviewAt`. The Rewards of the referral wait for the decision.',
      permissions: READ,
      query: ListReviews,
      answer: CursorList(RiskReview),
      refusals: [
        { code: 'INVALID_REQUEST', when: 'the cursor belongs to another list or to other filters' },
      ],
      example: { answer: { success: true, data: [reviewExample], nextCursor: null } },
      handle: ({ project, query }) => listReviews(reads, project.id, query),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/risk-reviews/{id}',
      tag: TAG,
      summary: 'Read a review with the people around it',
      description:
        '`otherReferrals` are the 50 newest of the referrer. `ring` has the people who share a network, an account, a card or an e-mail address with somebody of this referral, or who refer each other in a circle.',
      permissions: READ,
      answer: Success(RiskReviewDetail),
      refusals: [NO_REVIEW],
      example: { answer: success(detailExample) },
      handle: async ({ project, params }) =>
        success(await showReview(reads, project.id, params.id as string)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/risk-reviews/{id}/decision',
      tag: TAG,
      summary: 'Approve or reject a referral that is under review',
      description:
        '`approve` releases its Rewards. `reject` voids those that were not granted, with `reasonCode` `fraud`, and the referral earns nothing from then on. Grants that a webhook response reported in the meantime are recorded now. A repeat of the same decision returns the review with the first note.',
      permissions: ['rewards:write'],
      body: DecideReview,
      answer: Success(RiskReviewDetail),
      refusals: [
        NO_REVIEW,
        { code: 'CONFLICT', reason: 'review_decided', when: 'the other decision was made before' },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…', decision: 'reject', note: 'The same person twice.' },
        answer: success({
          ...detailExample,
          status: 'rejected',
          decidedAt: '2026-11-16T08:00:00.000Z',
          decidedBy: 'user:usr_01ka3m…',
          note: 'The same person twice.',
          heldRewards: 0,
          heldAmounts: [],
        }),
      },
      handle: async ({ project, request, params, body }) => {
        await recordDecision(writer, request, params.id as string, body);
        return success(await showReview(reads, project.id, params.id as string));
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/risk-signals',
      tag: TAG,
      summary: 'Count how the reviews of each signal ended',
      description:
        'Counts all reviews of the Project, or of a Program. A signal whose reviews are mostly approved deserves fewer points.',
      permissions: READ,
      query: Type.Object({ programId: Type.Optional(IdOf('program')) }),
      answer: Success(Type.Array(SignalFigures)),
      example: {
        answer: success([{ signal: 'email_alias', open: 2, approved: 1, rejected: 9 }]),
      },
      handle: async ({ project, query }) =>
        success(await showSignalFigures(reads, project.id, query.programId ?? null)),
    }),
  ];
}
