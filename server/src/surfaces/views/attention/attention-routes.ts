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
      summary: 'List what waits for a person',
      description:
        'Rewards to grant or to take back by hand (within their hold, too), and those that could not be delivered; payout batches to approve or to submit, and transfers that their provider has not been able to tell of for 24 hours; applications whose e-mail is proven; webhook endpoints that do not take what they are sent; parked events of Stripe; Events that could not be decided. Each with a number, counted up to 100, and the list to find them in. What there is none of, and what you may not list, is left out: Rewards and Events need `referrals:read`, payouts `payouts:read`, applications `partners:read`, endpoints `webhooks:read`, and what is parked is for the operator.',
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
