import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/http/access/client-address.ts';
import { perMinute } from '../../../platform/http/access/rate-limit.ts';
import { statusOf, toAppError } from '../../../platform/http/routes/error-body.ts';
import { messagePage, PAGE_HEADERS } from '../../../platform/http/server/page-html.ts';
import type { LinkPageDeps } from '../click-deps.ts';
import { followLink } from './follow-link.ts';
import { isRobot } from './is-robot.ts';

/**
 * The pages behind shared links. A separate scope, because errors are HTML. Visits over the limit
 * of an address are still redirected, but not counted.
 */
export function registerLinkPages(app: FastifyInstance, deps: LinkPageDeps): void {
  const visits = perMinute(deps.clock, 'links', deps.linkVisitsPerMinute);
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toAppError(error);
      if (refusal.code === 'INTERNAL_ERROR') deps.onFailure(error, request.id);
      return reply
        .code(statusOf(refusal))
        .headers({ ...PAGE_HEADERS, ...refusal.headers })
        .send(messagePage('That did not work', 'Please open the link again in a moment.'));
    });
    scope.get('/l/:projectKey/:name', async (request, reply) => {
      const isCounted = isPerson(request) && visits.take(networkOf(request.ip)).allowed;
      const link = request.params as { projectKey: string; name: string };
      const address = await followLink(deps, link, isCounted);
      if (address !== null) {
        reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
        return reply.redirect(address, 302);
      }
      return reply.code(404).headers(PAGE_HEADERS).send(UNKNOWN);
    });
  });
}

const UNKNOWN = messagePage(
  'This link does not work',
  'Nobody has this link, or no longer has it. Check that it is complete, or ask whoever sent it for a new one.',
);

/** False for prefetches and other automated requests. */
function isPerson({ method, headers }: FastifyRequest): boolean {
  const purpose = String(headers['sec-purpose'] ?? headers.purpose ?? '');
  return method === 'GET' && !purpose.includes('prefetch') && !isRobot(headers['user-agent']);
}
