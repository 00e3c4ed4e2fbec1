import type { FastifyRequest } from 'fastify';
import { AppError } from '../../kit/errors.ts';
import type { Access } from '../routes/route.ts';
import { networkOf } from './network-of.ts';
import type { Identities, Principal } from './principal.ts';
import type { Limits } from './rate-limit.ts';

/**
 * Who calls: the API key in `X-Api-Key`, the operator's Bearer token, or, with neither of the two,
 * whoever is signed in. Ends with UNAUTHORIZED, and RATE_LIMITED for an address that keeps failing;
 * a good credential is never refused because of others' bad ones. Ends with FORBIDDEN for what
 * another site's page does in a user's name.
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
    // Nor does a link on another site's page download a list, or write down that its reader did.
    if (request.headers['sec-fetch-site'] === 'cross-site') throw foreignPage();
  }
  if (principal) return principal;
  // Nobody guesses a session; but a page whose session ended asks for many things at once, and one
  // where nobody has signed in yet asks whether somebody has.
  if (access.by === 'session' || isPage(request)) throw unauthorized(request, access);
  const verdict = limits.failedAuthentications.take(networkOf(request.ip));
  if (!verdict.allowed) throw limits.failedAuthentications.refusal(verdict);
  throw unauthorized(request, access);
}

/** Whose the credential is now; undefined if it is nobody's. */
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
  return cookie === undefined ? undefined : identities.findUser(cookie, isUse);
}

function isPage({ headers }: FastifyRequest): boolean {
  const { cookie, authorization } = headers;
  return cookie !== undefined && authorization === undefined && headers['x-api-key'] === undefined;
}

const READS = ['GET', 'HEAD'];

/**
 * Browsers send cookies along with what other sites' pages ask for, but say whose page it is: most
 * in a header that counts for whatever name the service is reached by, all in `Origin`.
 * Ends with FORBIDDEN for a change that is not asked for by a page of ours.
 */
export function assertOwnPage({ method, headers }: FastifyRequest, ownOrigin: string): void {
  if (READS.includes(method)) return;
  const { origin, 'sec-fetch-site': site } = headers;
  if (site === undefined ? origin === ownOrigin : site === 'same-origin') return;
  throw foreignPage();
}

function foreignPage(): AppError {
  return new AppError('FORBIDDEN', 'This did not come from a page of ours.', {
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
    return new AppError('UNAUTHORIZED', 'Nobody is signed in.', {
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
