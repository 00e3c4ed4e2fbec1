import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { networkOf } from '../../../platform/http/access/client-address.ts';
import type { Identities } from '../../../platform/http/access/principal.ts';
import { perMinute } from '../../../platform/http/access/rate-limit.ts';
import { statusOf, toAppError } from '../../../platform/http/routes/error-body.ts';
import { messagePage, PAGE_HEADERS } from '../../../platform/http/server/page-html.ts';
import { drawSecret } from '../../../platform/kit/ids.ts';
import { CLICK_TOKEN_MS } from '../handle.ts';
import { findTarget } from '../queries.ts';
import type { ClickDeps } from '../record-click.ts';
import type { ClickCounter } from './click-counter.ts';
import { makeClickToken } from './click-token.ts';
import { toReferralAddress } from './landing.ts';

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
  'The link is incomplete or no longer in use. Check its address, or ask the person who sent it for a new link.',
);

/** False for prefetches and other automated requests. */
function isPerson({ method, headers }: FastifyRequest): boolean {
  const purpose = String(headers['sec-purpose'] ?? headers.purpose ?? '');
  return method === 'GET' && !purpose.includes('prefetch') && !isRobot(headers['user-agent']);
}

/** Any other text is not a Project's key and needs no lookup. */
const PROJECT_KEY = /^[a-z0-9]{1,32}$/;

/**
 * The address that a shared link leads to, or null if there is no such link. While the link counts,
 * the address names the code and carries a token, and the visit is added to the counter if
 * `isCounted`; nothing else is written. Otherwise it is the plain landing page.
 */
async function followLink(
  deps: Pick<LinkPageDeps, 'reads' | 'clock' | 'keyring' | 'identities' | 'counter'>,
  link: { readonly projectKey: string; readonly name: string },
  isCounted: boolean,
): Promise<string | null> {
  const projectKey = link.projectKey.toLowerCase();
  if (!PROJECT_KEY.test(projectKey)) return null;
  const project = await deps.identities.findProjectByKey(projectKey);
  if (!project) return null;
  const now = await projectNow(deps.reads, deps.clock, project);
  const target = await findTarget(deps.reads, project.id, link.name, now);
  if (!target || target.landingPageUrl === '') return null;
  if (!target.isOpen) return target.landingPageUrl;
  if (isCounted) {
    deps.counter.add({
      projectId: project.id,
      sharedId: target.linkId ?? target.refCodeId,
      isLink: target.linkId !== null,
      programId: target.programId,
      day: now.slice(0, 10),
      clicks: 1,
    });
  }
  const click = makeClickToken(deps.keyring, project.id, {
    id: drawSecret().toString('hex'),
    name: link.name.toLowerCase(),
    expiresMs: deps.clock.nowMs() + CLICK_TOKEN_MS,
  });
  return toReferralAddress(target.landingPageUrl, target.code, click);
}

const AGENTS_MAX = 500;
/** Most visitors have one of a few hundred. */
const knownAgents = new LRUCache<string, boolean>({ max: AGENTS_MAX });

/** Whether a visit declares itself as automated. Browsers always send a user agent. */
export function isRobot(userAgent: string | undefined): boolean {
  if (userAgent === undefined || userAgent.trim() === '') return true;
  const known = knownAgents.get(userAgent);
  if (known !== undefined) return known;
  const isOne = isbot(userAgent);
  knownAgents.set(userAgent, isOne);
  return isOne;
}

export interface LinkPageDeps extends Pick<ClickDeps, 'reads' | 'clock' | 'keyring'> {
  readonly identities: Pick<Identities, 'findProjectByKey'>;
  readonly counter: ClickCounter;
  /** Limit of counted link visits per address; further visits are still redirected. */
  readonly linkVisitsPerMinute: number;
  /** Reports an error while following a link; the visitor only sees that it failed. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}
