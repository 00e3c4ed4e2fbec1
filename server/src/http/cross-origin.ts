import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identities, PageProject } from './principal.ts';
import type { Method } from './route.ts';

/** How long a browser may remember that it may ask. */
const REMEMBERED_SECONDS = 600;

/** Lets the page that asks read the answer, if the Project allows its origin. Never with cookies. */
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

/**
 * Answers what a browser asks ahead of a call. That question names no Project, so it is
 * answered for an origin that any Project allows; the call's own answer goes by its Project.
 */
export function registerPreflight(
  app: FastifyInstance,
  url: string,
  method: Method,
  identities: Identities,
): void {
  app.options(url, async (request, reply) => {
    reply.code(204).header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin !== undefined && (await identities.isAllowedOrigin(origin))) {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': String(REMEMBERED_SECONDS),
      });
    }
    return reply.send();
  });
}
