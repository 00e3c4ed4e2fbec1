import type { FastifyRequest } from 'fastify';
import { AppError } from '../../kit/errors.ts';
import { isFromThisMachine } from '../../kit/parse-url.ts';
import type { Access } from '../routes/route.ts';
import { networkOf } from './client-address.ts';
import type { Identities, Principal } from './principal.ts';
import type { Limits } from './rate-limit.ts';

/**
 * Identifies the caller: the API key in `X-Api-Key`, the operator's Bearer token, or with neither
 * of them the signed-in user. Fails with UNAUTHORIZED, and RATE_LIMITED for an address that keeps
 * failing; a valid credential is never refused because of other people's invalid ones. Fails with
 * FORBIDDEN for a call by another site's page in a user's name.
 */
export async function authenticate(
  request: FastifyRequest,
  access: Access,
  identities: Identities,
  limits: Limits,
): Promise<Principal> {
  const principal = await findPrincipal(request, identities);
  if (principal?.type === 'user') {
    assertOwnPage(request, identities.origin);
    // Also, a link on another site's page must not download a list, or record that its reader did.
    if (request.headers['sec-fetch-site'] === 'cross-site') throw foreignPage();
  }
  if (principal) return principal;
  // A session cannot be guessed, but a page whose session ended sends many requests at once, and a
  // page before the sign-in asks whether somebody is signed in.
  if (access.by === 'session' || isPage(request)) throw unauthorized(request, access);
  limits.failedAuthentications.admit(networkOf(request.ip));
  throw unauthorized(request, access);
}

/** The current owner of the credential; undefined if there is none. */
export async function findPrincipal(
  request: FastifyRequest,
  identities: Identities,
  isUse = true,
): Promise<Principal | undefined> {
  const apiKey = request.headers['x-api-key'];
  if (typeof apiKey === 'string') return identities.findKey(apiKey);
  if (request.headers.authorization !== undefined) {
    const token = bearerToken(request);
    return token !== undefined && identities.isAdminToken(token) ? { type: 'operator' } : undefined;
  }
  const { cookie } = request.headers;
  return cookie === undefined
    ? undefined
    : identities.findUser(cookie, { isUse, isLocal: isFromThisMachine(request) });
}

function isPage({ headers }: FastifyRequest): boolean {
  const { cookie, authorization } = headers;
  return cookie !== undefined && authorization === undefined && headers['x-api-key'] === undefined;
}

const READS = ['GET', 'HEAD'];

/**
 * Browsers also send cookies with requests of other sites' pages, but declare the page: most in a
 * header that works for any name of the service, all in `Origin`. Fails with FORBIDDEN for a change
 * that is not requested by one of our own pages.
 */
export function assertOwnPage({ method, headers }: FastifyRequest, ownOrigin: string): void {
  if (READS.includes(method)) return;
  const { origin, 'sec-fetch-site': site } = headers;
  if (site === undefined ? origin === ownOrigin : site === 'same-origin') return;
  throw foreignPage();
}

function foreignPage(): AppError {
  return new AppError('FORBIDDEN', 'This request was not sent by a page of this service.', {
    reason: 'foreign_origin',
  });
}

export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function unauthorized(request: FastifyRequest, access: Access): AppError {
  const sent =
    request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined;
  if (access.by === 'session' || isPage(request)) {
    return new AppError('UNAUTHORIZED', 'You are not signed in.', {
      headers: { 'www-authenticate': 'Session realm="goodword"' },
    });
  }
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
