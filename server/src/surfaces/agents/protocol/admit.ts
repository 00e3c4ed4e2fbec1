import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../../../platform/http/access/authenticate.ts';
import { networkOf } from '../../../platform/http/access/client-address.ts';
import type { Identities, KeyPrincipal } from '../../../platform/http/access/principal.ts';
import type { Limits } from '../../../platform/http/access/rate-limit.ts';
import { AppError } from '../../../platform/kit/errors.ts';

export interface Admitted {
  readonly key: KeyPrincipal;
  /** The key itself, for the calls of routes. */
  readonly text: string;
}

/**
 * The caller's key, from either header. Fails with FORBIDDEN for a page of another site, with
 * UNAUTHORIZED, and with RATE_LIMITED.
 */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  identities: Identities,
  limits: Limits,
): Promise<Admitted> {
  assertOrigin(request, identities.origin);
  const header = request.headers['x-api-key'];
  const text = typeof header === 'string' ? header : bearerToken(request);
  const key = text === undefined ? undefined : await identities.findKey(text);
  if (!key || text === undefined || key === undefined) {
    limits.failedAuthentications.admit(networkOf(request.ip));
    throw new AppError(
      'UNAUTHORIZED',
      'Send a valid API key as Authorization: Bearer, or in the header X-Api-Key.',
      { headers: { 'www-authenticate': 'Bearer realm="goodword"' } },
    );
  }
  if (limits.keys) reply.headers(limits.keys.admit(`${key.workspaceId} ${key.environment}`));
  return { key, text };
}

/** A page of another site must not reach a service that only this machine can reach. */
function assertOrigin({ headers: { origin } }: FastifyRequest, own: string): void {
  if (origin === undefined || origin === own || !/^(https?:|null$)/i.test(origin)) return;
  throw new AppError('FORBIDDEN', 'Pages of other sites may not call this.', {
    reason: 'foreign_origin',
  });
}
