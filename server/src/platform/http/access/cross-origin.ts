import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { groupBy } from '../../kit/group-by.ts';
import { type Route, toUrl } from '../routes/route.ts';
import type { Identities, PageProject } from './principal.ts';

/** How long a browser may cache a preflight. */
const REMEMBERED_SECONDS = 600;

/** Lets the calling page read the response, if the Project allows its origin. Never with cookies. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  project: PageProject,
): void {
  const { origin } = request.headers;
  if (origin !== undefined && project.allowedOrigins.includes(origin)) {
    reply.header('access-control-allow-origin', origin);
  }
}

/** Lets the page read a response without a Project, if any Project allows its origin. Returns whether it does. */
export async function allowAsPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  identities: Pick<Identities, 'isAllowedOrigin'>,
): Promise<boolean> {
  const { origin } = request.headers;
  if (origin === undefined || !(await identities.isAllowedOrigin(origin))) return false;
  reply.header('access-control-allow-origin', origin);
  return true;
}

/**
 * Responds to preflights. They name no Project, so they are accepted for an origin that any Project
 * allows; the response to the call itself depends on its Project.
 */
export function registerPreflights(
  app: FastifyInstance,
  routes: readonly Route[],
  identities: Identities,
): void {
  for (const [path, onPath] of groupBy(routes, (route) => route.path)) {
    const isForPages = onPath.filter((route) => route.isForPages);
    if (isForPages.length === 0) continue;
    const takesToken = isForPages.some(({ access }) => access.by === 'widget');
    const allowed = {
      'access-control-allow-methods': isForPages.map(({ method }) => method).join(', '),
      'access-control-allow-headers': takesToken ? 'authorization, content-type' : 'content-type',
      'access-control-max-age': String(REMEMBERED_SECONDS),
    };
    app.options(toUrl(path), async (request, reply) => {
      reply.code(204).header('vary', 'Origin');
      if (await allowAsPreflight(request, reply, identities)) reply.headers(allowed);
      return reply.send();
    });
  }
}
