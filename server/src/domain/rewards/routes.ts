import Type from 'typebox';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { CursorList } from '../../platform/http/routes/paging.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { countExample, TOTALS_TEXT } from '../../platform/http/routes/totals.ts';
import { grantRoutes, rewardExample } from './grant-routes.ts';
import { findReward, type RewardDeps } from './queries.ts';
import { listAdjustments } from './read/list-adjustments.ts';
import { listRewards, totalRewards } from './read/list-rewards.ts';
import {
  ListAdjustments,
  ListRewards,
  Reward,
  RewardAdjustment,
  RewardQuery,
  RewardTotals,
  rewardFields,
} from './schema.ts';

const TAG = 'Rewards';
const READ = ['referrals:read'] as const;

const adjustmentExample = {
  id: 'adj_01ka3m…',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  projectId: 'prj_01ka3m…',
  purchaseAdjustmentId: 'padj_01ka3m…',
  rewardId: 'rwd_01ka3m…',
  purchaseId: 'pur_01ka3m…',
  currency: 'USD',
  signedAmountMinor: '-250',
  calculationSnapshot: { refundedTotalMinor: '2500', previousNetMinor: '500', newNetMinor: '250' },
};

export function rewardRoutes(deps: RewardDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/rewards',
      tag: TAG,
      summary: 'List Rewards, newest first or oldest first',
      description:
        'A Reward must match all filters. `earnedFrom` and `earnedTo` are inclusive. To find the Rewards that your product has to grant, filter by `deliveryMethod=operator` and `fulfillmentStatus=pending`.',
      permissions: READ,
      query: ListRewards,
      answer: CursorList(Reward),
      example: { answer: { success: true, data: [rewardExample], nextCursor: null } },
      handle: ({ project, query }) => listRewards(deps, project, query),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/rewards/totals',
      tag: TAG,
      summary: 'Count and sum the Rewards that match',
      description: `Takes the filters of the list. ${TOTALS_TEXT}`,
      permissions: READ,
      query: RewardQuery,
      answer: Success(RewardTotals),
      example: {
        answer: success({
          ...countExample,
          sums: [
            { currency: 'USD', currencyExponent: 2, amountMinor: '5000', netAmountMinor: '4500' },
          ],
        }),
      },
      handle: async ({ project, query }) => success(await totalRewards(deps, project.id, query)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/rewards/{rewardId}',
      tag: TAG,
      summary: 'Read a Reward',
      permissions: READ,
      answer: Type.Object({ success: Type.Literal(true), ...rewardFields }),
      refusals: [{ code: 'NOT_FOUND', when: 'the Reward does not exist' }],
      example: { answer: { success: true, ...rewardExample } },
      handle: async ({ project, params }) => ({
        success: true as const,
        ...(await findReward(deps, project, params.rewardId as string)),
      }),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/reward-adjustments',
      tag: TAG,
      summary: 'List the adjustments of Rewards by refunds, disputes and restorations',
      description:
        'Returns the 100 newest, newest first. To read all of them, oldest first in pages of 100, start with `after=start` and pass `next` of each response as `after` of the next call. When there is nothing new, `next` is the cursor you sent; poll with it later. Filter by `rewardId` for one Reward, or by `beneficiaryParticipantId` for the Rewards of one participant.',
      permissions: READ,
      query: ListAdjustments,
      answer: Type.Object({
        success: Type.Literal(true),
        data: Type.Array(RewardAdjustment),
        next: Type.String({ description: 'A cursor, even if the list is still empty.' }),
      }),
      refusals: [{ code: 'INVALID_REQUEST', when: '`after` is not a cursor of this list' }],
      example: { answer: { success: true, data: [adjustmentExample], next: 'YWRqdXN0bWVudHMgNw' } },
      handle: ({ project, query }) => listAdjustments(deps, project.id, query),
    }),
    ...grantRoutes(deps),
  ];
}
