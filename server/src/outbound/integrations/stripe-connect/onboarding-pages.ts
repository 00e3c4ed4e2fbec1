import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../../platform/http/access/client-address.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { perMinute } from '../../../platform/http/access/rate-limit.ts';
import { statusOf, toAppError } from '../../../platform/http/routes/error-body.ts';
import { html } from '../../../platform/http/server/html.ts';
import { framePage, messagePage, PAGE_HEADERS } from '../../../platform/http/server/page-html.ts';
import { noteReadiness } from '../../payouts/details/queries.ts';
import type { DetailsDeps } from '../../payouts/payout-deps.ts';
import { ONBOARDING_PATH, readOnboardingToken } from './onboarding.ts';

const VIEWS_PER_MINUTE = 60;

export interface OnboardingPageDeps extends Omit<DetailsDeps, 'database'> {
  readonly findProject: (projectId: string) => Promise<ProjectRef | undefined>;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * The pages to which Stripe returns a payee. An expired form leads to a new one; a form that was
 * left leads to a page with the account's state.
 */
export function registerOnboardingPages(app: FastifyInstance, deps: OnboardingPageDeps): void {
  const { clock, keyring } = deps;
  const views = perMinute(clock, 'pages', VIEWS_PER_MINUTE);
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(PAGE_HEADERS);
      const verdict = views.take(networkOf(request.ip));
      if (!verdict.allowed) throw views.refusal(verdict);
    });
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toAppError(error);
      if (refusal.code === 'INTERNAL_ERROR') deps.onFailure(error, request.id);
      reply.code(statusOf(refusal)).headers(refusal.headers);
      return reply.send(messagePage('That did not work', 'Please try again in a moment.'));
    });
    for (const way of ['refresh', 'return'] as const) {
      scope.get(`${ONBOARDING_PATH}/${way}`, async (request, reply) => {
        const { token } = request.query as { token?: unknown };
        const text = typeof token === 'string' ? token : '';
        const payee = readOnboardingToken(keyring, text, clock.nowMs());
        const project = payee && (await deps.findProject(payee.projectId));
        const stand = project && (await deps.payeeOnboarding?.resume(project, payee.participantId));
        if (!stand) return reply.code(410).send(overPage());
        const { accountId, isReady, onboardingUrl } = stand;
        await noteReadiness(deps, { ...payee, accountId }, isReady);
        if (way === 'refresh' && onboardingUrl !== null) return reply.redirect(onboardingUrl, 302);
        return reply.send(isReady ? readyPage() : openPage());
      });
    }
  });
}

function overPage(): string {
  return messagePage(
    'This link has expired',
    'Please start again on the page where you entered your payout details.',
  );
}

function readyPage(): string {
  const text = html`<p>You can now be paid to it. You can close this page.</p>`;
  return framePage('done', 'Your account is ready', text);
}

function openPage(): string {
  return messagePage(
    'Your account is not ready yet',
    'Stripe needs more information from you, or is still checking it. To continue, open Stripe’s form again on the page where you entered your payout details.',
  );
}
