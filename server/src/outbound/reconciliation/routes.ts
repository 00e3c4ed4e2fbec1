import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { reconcile } from './reconcile.ts';
import { Reconciliation, ReconciliationQuery } from './schema.ts';
import type { Source } from './sources.ts';

export function reconciliationRoutes(sources: readonly Source[]): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/reconciliation',
      tag: 'Payouts',
      summary: 'Compare deliveries with the providers’ records',
      description:
        'Lists transfers by PayPal, Wise and Stripe, newest first, then Rewards that were delivered as a balance or discount at Stripe. The providers are asked during the call, so pages are small. A difference right after a delivery usually means that an update has not arrived yet: check again before you act. Exported payouts and grants by your own product are omitted, because there is no provider to ask.',
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
