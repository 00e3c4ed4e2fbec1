import { projectRoute, type Route } from '../../platform/http/routes/route.ts';
import { reconcile } from './reconcile.ts';
import { Reconciliation, ReconciliationQuery } from './schema.ts';
import type { Source } from './sources.ts';

export function reconciliationRoutes(sources: readonly Source[]): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/reconciliation',
      tag: 'Payouts',
      summary: 'Compare what was delivered with what the providers have in their books',
      description:
        'Transfers that PayPal, Wise or Stripe were told to make, newest first, then Rewards that went to a customer’s balance or discount at Stripe. The providers are asked while you wait, so pages are small. What differs right after a delivery is usually news that has not come yet: ask again before you act. Exports and what your own product grants have no provider to ask, and are left out.',
      permissions: ['payouts:read'],
      query: ReconciliationQuery,
      answer: Reconciliation,
      example: {
        answer: {
          success: true,
          totals: [
            {
              method: 'paypal',
              currency: 'USD',
              compared: 1,
              differing: 1,
              unanswered: 0,
              believedMinor: '0',
              reportedMinor: '4500',
              driftMinor: '4500',
            },
          ],
          data: [
            {
              method: 'paypal',
              subject: 'payout',
              id: 'po_01ka3m…',
              currency: 'USD',
              believedMinor: '0',
              reportedMinor: '4500',
              driftMinor: '4500',
              verdict: 'differs',
            },
          ],
          nextCursor: null,
        },
      },
      handle: ({ project, query }) => reconcile(sources, project.id, query),
    }),
  ];
}
