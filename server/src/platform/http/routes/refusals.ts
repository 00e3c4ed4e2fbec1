import { type ErrorCode, STATUS_BY_CODE } from '../../kit/errors.ts';
import { listNamedFields } from './known-ids.ts';
import { hasListCursor } from './list-cursor.ts';
import { BODY_BYTES_MAX, keepsAnswers, type Refusal, type Route } from './route.ts';

/** One way in which an operation can refuse a call. */
export interface DescribedRefusal {
  readonly status: number;
  readonly code: ErrorCode;
  /** Null if the code is sufficient. */
  readonly reason: string | null;
  readonly when: string;
}

/** All refusals of a route: its own, and those of every route of its kind. By status. */
export function listRefusals(route: Route): DescribedRefusal[] {
  return [
    ...refusalsOfForm(route),
    ...refusalsOfAccess(route),
    ...refusalsOfProject(route),
    ...refusalsOfQuery(route),
    ...(route.refusals ?? []),
    ...refusalsOfWrite(route),
    ...EVERYWHERE,
  ]
    .map(({ code, reason = null, when }) => ({ status: STATUS_BY_CODE[code], code, reason, when }))
    .sort((one, other) => one.status - other.status);
}

const EVERYWHERE: readonly Refusal[] = [
  { code: 'RATE_LIMITED', when: 'too many calls; see `Retry-After`' },
  { code: 'SERVICE_UNAVAILABLE', when: 'try again; see `Retry-After`' },
];

const onlyIf = (holds: unknown, ...refusals: readonly Refusal[]) => (holds ? refusals : []);

function refusalsOfForm(route: Route): Refusal[] {
  const { params, query, body, signatureHeader, bodyBytesMax = BODY_BYTES_MAX } = route;
  const bytesMax = bodyBytesMax.toLocaleString('en-US');
  return [
    ...onlyIf(params || query || body, {
      code: 'INVALID_REQUEST',
      when: 'the request does not match its schema',
    }),
    ...onlyIf(
      body || signatureHeader !== null,
      { code: 'PAYLOAD_TOO_LARGE', when: `the body is larger than ${bytesMax} bytes` },
      { code: 'UNSUPPORTED_MEDIA_TYPE', when: 'the body is not plain JSON in UTF-8' },
    ),
  ];
}

function refusalsOfAccess({ access, method, projectIn }: Route): readonly Refusal[] {
  if (access.by === 'signature') return [];
  const foreignOrigin: Refusal = {
    code: 'FORBIDDEN',
    reason: 'foreign_origin',
    when:
      method === 'GET'
        ? 'a page of another site sent the user’s session cookie'
        : 'the call has a session cookie but does not come from a page of the service',
  };
  // A public route checks who is signed in only if it is not about a Project.
  if (access.by === 'public') {
    return onlyIf(method !== 'GET' && projectIn === undefined, foreignOrigin);
  }
  const unauthorized: Refusal = {
    code: 'UNAUTHORIZED',
    when: 'the credential is missing or not valid',
  };
  if (access.by === 'widget') {
    return [
      unauthorized,
      { code: 'INSUFFICIENT_SCOPE', when: 'the token lacks the scope' },
      { code: 'FORBIDDEN', when: 'the token is for another Project' },
    ];
  }
  return [
    unauthorized,
    { code: 'FORBIDDEN', when: 'the credential has no permission for this call' },
    foreignOrigin,
    ...onlyIf(access.by !== 'session', {
      code: 'FORBIDDEN',
      reason: 'totp_required',
      when: 'the user’s role needs a second factor, which is not set up',
    }),
  ];
}

function refusalsOfProject({ access, projectIn }: Route): Refusal[] {
  if (!projectIn || access.by === 'widget') return [];
  return [
    { code: 'NOT_FOUND', when: 'the Project does not exist' },
    ...onlyIf(access.by === 'key', {
      code: 'ENVIRONMENT_MISMATCH',
      when: 'the key is for the other environment',
    }),
  ];
}

function refusalsOfQuery(route: Route): Refusal[] {
  return [
    ...onlyIf(hasListCursor(route), {
      code: 'INVALID_REQUEST',
      when: '`cursor` is not of this list with these filters',
    }),
    ...listNamedFields(route).map(({ name, what }): Refusal => {
      return { code: 'NOT_FOUND', when: `the Project has no ${what} \`${name}\`` };
    }),
  ];
}

function refusalsOfWrite(route: Route): Refusal[] {
  const writes = route.method !== 'GET';
  return [
    ...onlyIf(keepsAnswers(route), {
      code: 'CONFLICT',
      reason: 'idempotency_key_reused',
      when: 'the Idempotency-Key was used before with another body',
    }),
    ...onlyIf(writes, {
      code: 'SERVICE_UNAVAILABLE',
      reason: 'outcome_unknown',
      when: 'the database connection broke while saving; check the result before you repeat the call',
    }),
    ...onlyIf(writes && route.projectIn !== undefined, {
      code: 'SERVICE_UNAVAILABLE',
      reason: 'overloaded',
      when: 'too many writes are waiting for the Project',
    }),
  ];
}
