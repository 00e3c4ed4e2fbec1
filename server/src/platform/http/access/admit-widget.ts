import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../kit/errors.ts';
import { bearerToken } from './authenticate.ts';
import { networkOf } from './client-address.ts';
import { allowAsPreflight, allowOrigin } from './cross-origin.ts';
import type {
  CheckWidgetToken,
  Identities,
  TokenVerdict,
  WidgetCaller,
  WidgetScope,
} from './principal.ts';
import type { Limits } from './rate-limit.ts';

export interface WidgetGate {
  readonly identities: Pick<Identities, 'isAllowedOrigin'>;
  readonly checkWidgetToken: CheckWidgetToken;
}

/**
 * Identifies the participant of a Widget call. The page may also read a refusal, or it could not
 * know that its token has expired: by the Project that the token names, and without one as for a
 * preflight. Fails with UNAUTHORIZED, RATE_LIMITED or INSUFFICIENT_SCOPE.
 */
export async function admitWidget(
  reply: FastifyReply,
  scope: WidgetScope,
  gate: WidgetGate,
  limits: Limits,
): Promise<WidgetCaller> {
  const { request } = reply;
  const token = bearerToken(request);
  const verdict = token === undefined ? null : await gate.checkWidgetToken(token);
  const caller = verdict && 'caller' in verdict ? verdict.caller : null;
  const project = projectOf(verdict);
  if (project) allowOrigin(request, reply, project);
  else await allowAsPreflight(request, reply, gate.identities);
  if (!caller) {
    // Tokens expire on every page, and many people may share an address: only guesses are counted.
    if (!(verdict && 'isSigned' in verdict && verdict.isSigned)) {
      limits.failedAuthentications.admit(networkOf(request.ip));
    }
    throw unauthorized(request, verdict);
  }
  const { kind, externalId } = caller.participant;
  reply.headers(limits.widget.admit(`${caller.project.id} ${kind} ${externalId}`));
  if (!caller.scopes.includes(scope)) throw insufficient(scope);
  return caller;
}

function projectOf(verdict: TokenVerdict | null) {
  if (!verdict) return null;
  return 'caller' in verdict ? verdict.caller.project : verdict.project;
}

function unauthorized(request: FastifyRequest, verdict: TokenVerdict | null): AppError {
  const wasSent = request.headers.authorization !== undefined;
  const fault = verdict && 'fault' in verdict ? verdict.fault : null;
  return new AppError(
    'UNAUTHORIZED',
    fault === null
      ? 'Send a Widget token as Authorization: Bearer.'
      : `This Widget token is not valid: ${fault}.`,
    {
      headers: {
        'www-authenticate': `Bearer realm="goodword"${wasSent ? ', error="invalid_token"' : ''}`,
      },
    },
  );
}

function insufficient(scope: WidgetScope): AppError {
  return new AppError('INSUFFICIENT_SCOPE', `This Widget token lacks the scope ${scope}.`, {
    headers: {
      'www-authenticate': `Bearer realm="goodword", error="insufficient_scope", scope="${scope}"`,
    },
  });
}
