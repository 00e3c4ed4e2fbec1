import Type from 'typebox';
import { projectRoute, type Route, Success, success } from '../../../platform/http/routes/route.ts';
import { Attention } from './attention-schema.ts';
import { type AttentionDeps, listAttention } from './list-attention.ts';

export function attentionRoutes(deps: AttentionDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/attention',
      tag: 'Figures',
      summary: 'List the open tasks of a Project',
      description:
        'Everything that needs a person: Rewards to grant or take back by hand (even during their hold) and Rewards that could not be delivered; payout batches to approve or submit, and transfers whose provider has given no answer for 24 hours; partner applications with a verified e-mail address; webhook endpoints with failing deliveries; parked Stripe events; Events that could not be processed. Each task has a number, counted up to 100, and the list that shows the items. Tasks without items are omitted, and so are tasks that you may not see: Rewards and Events need `referrals:read`, payouts `payouts:read`, applications `partners:read` and endpoints `webhooks:read`. Parked events are for the operator.',
      permissions: [],
      answer: Success(Type.Array(Attention)),
      example: {
        answer: success([
          {
            kind: 'rewards_to_grant',
            count: 12,
            isMore: false,
            list: {
              path: '/v1/rewards',
              query: { fulfillmentStatus: 'pending', deliveryMethod: 'operator' },
            },
            endpoint: null,
          },
        ]),
      },
      handle: async ({ project, principal }) =>
        success(await listAttention(deps, project, principal)),
    }),
  ];
}
