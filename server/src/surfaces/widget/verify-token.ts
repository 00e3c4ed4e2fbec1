import { compactVerify, decodeJwt } from 'jose';
import type { WidgetProject } from '../../accounts/workspaces/api-keys/identities.ts';
import {
  type CheckWidgetToken,
  type PageProject,
  WIDGET_SCOPES,
  type WidgetCaller,
} from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { toInstant } from '../../platform/kit/instant.ts';

const TOKEN_TYPE = 'service-widget+jwt';
const TOKEN_AUDIENCE = 'service-widget';
/** From `iat` to `exp`. */
export const TOKEN_SECONDS_MAX = 900;
/** How far the signer's clock may differ from ours. */
export const SKEW_SECONDS = 30;

const EXTERNAL_ID_MAX = 512;
/** Nothing else can be a project's id, or is safe to pass to a database. */
const PROJECT_ID = /^[\x21-\x7e]{1,512}$/;
/** RFC 6749: visible ASCII except quotes and backslashes, with one space between scopes. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

export type Verified =
  | Pick<WidgetCaller, 'participant' | 'scopes'>
  | {
      /** The reason, as the end of a sentence about the token. */
      readonly fault: string;
      /** A secret of the project signed it, so this is not a guess. */
      readonly isSigned: boolean;
    };

/** The project that a token names, which proves nothing yet. Null if it names none. */
export function namedProject(token: string): string | null {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' && PROJECT_ID.test(iss) ? iss : null;
  } catch {
    return null;
  }
}

/**
 * The participant of a token, if one of the project's secrets signed it and all its claims hold.
 * Without secrets the fault is that of a wrong signature, so that nobody can find out which
 * projects exist.
 */
export async function verifyToken(
  token: string,
  projectId: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<Verified> {
  for (const secret of secrets) {
    const signed = await readSigned(token, secret);
    if (signed) {
      const judged = judge(signed, projectId, nowMs);
      return typeof judged === 'string' ? { fault: judged, isSigned: true } : judged;
    }
  }
  const fault = 'it is not a JWT signed with HS256 by a secret of its project';
  return { fault, isSigned: false };
}

interface Signed {
  readonly type: unknown;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Undefined for every token that this secret did not sign, and for invalid tokens. */
async function readSigned(token: string, secret: string): Promise<Signed | undefined> {
  try {
    const key = new TextEncoder().encode(secret);
    const { payload, protectedHeader } = await compactVerify(token, key, { algorithms: ['HS256'] });
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    if (claims === null || typeof claims !== 'object') return undefined;
    return { type: protectedHeader.typ, claims: claims as Signed['claims'] };
  } catch {
    return undefined;
  }
}

type Judged = Exclude<Verified, { fault: string }>;

/** The participant, or what is wrong with the token. */
function judge({ type, claims }: Signed, projectId: string, nowMs: number): Judged | string {
  const { iss, aud, sub, participantKind, scope } = claims;
  if (type !== TOKEN_TYPE) return `the typ of its header must be ${TOKEN_TYPE}`;
  if (iss !== projectId || claims.projectId !== projectId) {
    return 'iss and projectId must both be the id of the project';
  }
  if (aud !== TOKEN_AUDIENCE) return `aud must be "${TOKEN_AUDIENCE}"`;
  const fault = faultOfTimes(claims, nowMs / 1_000);
  if (fault !== null) return fault;
  if (!isExternalId(sub)) return 'sub must be the external id of a participant';
  if (participantKind !== 'individual' && participantKind !== 'group') {
    return 'participantKind must be individual or group';
  }
  if (typeof scope !== 'string' || !SCOPE.test(scope)) {
    return 'scope must be scopes separated by one space';
  }
  const named = scope.split(' ');
  return {
    participant: { kind: participantKind, externalId: sub },
    scopes: WIDGET_SCOPES.filter((known) => named.includes(known)),
  };
}

function faultOfTimes(claims: Signed['claims'], now: number): string | null {
  const { iat, exp, nbf } = claims;
  if (!isSeconds(iat) || !isSeconds(exp)) return 'iat and exp must be whole seconds';
  if (exp <= iat || exp - iat > TOKEN_SECONDS_MAX) {
    return `exp must be 1 to ${TOKEN_SECONDS_MAX} seconds after iat`;
  }
  if (nbf !== undefined && !isSeconds(nbf)) return 'nbf must be whole seconds';
  if (Math.max(iat, nbf ?? iat) > now + SKEW_SECONDS) return 'it is not valid yet';
  return exp + SKEW_SECONDS <= now ? 'it has expired' : null;
}

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The same rule as in every call that names a participant. */
function isExternalId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /\S/.test(value) &&
    [...value].length <= EXTERNAL_ID_MAX &&
    value.isWellFormed() &&
    !value.includes('\0')
  );
}

/** Tokens use the real time, whatever the clock of their project. */
export function makeTokenCheck(deps: {
  readonly findProject: (projectId: string) => Promise<WidgetProject | undefined>;
  readonly clock: Clock;
}): CheckWidgetToken {
  return async (token) => {
    const projectId = namedProject(token);
    if (projectId === null) {
      return { fault: 'it is not a JWT with a project as iss', isSigned: false, project: null };
    }
    const found = await deps.findProject(projectId);
    const nowMs = deps.clock.nowMs();
    const now = toInstant(nowMs);
    const live = (found?.secrets ?? []).flatMap(({ secret, expiresAt }) =>
      expiresAt === null || expiresAt > now ? [secret] : [],
    );
    const verified = await verifyToken(token, projectId, live, nowMs);
    const project = found ? withoutSecrets(found) : null;
    if ('fault' in verified) return { ...verified, project };
    // Without a project there was no secret that could have signed it.
    if (!project) throw new Error('A token was verified without a project.');
    return { caller: { project, ...verified } };
  };
}

/** What handlers get: they do not need the secrets. */
function withoutSecrets({ secrets: _, ...project }: WidgetProject): PageProject {
  return project;
}
