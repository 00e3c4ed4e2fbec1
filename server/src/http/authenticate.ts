import type { FastifyRequest } from 'fastify';
import { AppError } from '../kit/errors.ts';
import type { Identities, Principal } from './principal.ts';
import type { Limits } from './rate-limit.ts';
import type { Access } from './route.ts';

/**
 * Who calls: the API key in `X-Api-Key` or the operator's Bearer token. Ends with
 * UNAUTHORIZED, and RATE_LIMITED for an address that keeps failing; a good credential is
 * never refused because of others' bad ones.
 */
export async function authenticate(
  request: FastifyRequest,
  access: Access,
  identities: Identities,
  limits: Limits,
): Promise<Principal> {
  const principal = await findPrincipal(request, identities);
  if (principal) return principal;
  const verdict = limits.failedAuthentications.take(request.ip);
  if (!verdict.allowed) throw limits.failedAuthentications.refusal(verdict);
  throw unauthorized(request, access);
}

/** Whose the credential is now; undefined if it is nobody's. */
export async function findPrincipal(
  request: FastifyRequest,
  identities: Identities,
): Promise<Principal | undefined> {
  const apiKey = request.headers['x-api-key'];
  if (typeof apiKey === 'string') return identities.findKey(apiKey);
  const token = bearerToken(request);
  return token !== undefined && identities.isAdminToken(token) ? { type: 'operator' } : undefined;
}

export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function unauthorized(request: FastifyRequest, access: Access): AppError {
  const sent =
    request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined;
  const challenge =
    access.by === 'operator'
      ? `Bearer realm="goodword"${sent ? ', error="invalid_token"' : ''}`
      : 'ApiKey realm="goodword"';
  const needed =
    access.by === 'operator'
      ? 'the admin token as Authorization: Bearer'
      : 'an API key in the header X-Api-Key';
  return new AppError(
    'UNAUTHORIZED',
    sent ? `This credential is not valid. Send ${needed}.` : `Send ${needed}.`,
    { headers: { 'www-authenticate': challenge } },
  );
}
