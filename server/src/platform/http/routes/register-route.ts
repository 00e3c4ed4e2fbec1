import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import { canonicalJson } from '../../kit/canonical-json.ts';
import type { Clock } from '../../kit/clock.ts';
import { AppError, invalid, noSuch } from '../../kit/errors.ts';
import type { Keyring } from '../../kit/keyring.ts';
import { Closed } from '../../kit/schema.ts';
import { admitWidget } from '../access/admit-widget.ts';
import { currentAgentCall } from '../access/agent.ts';
import { assertOwnPage, authenticate, findPrincipal } from '../access/authenticate.ts';
import { assertAllowed, assertMayIn, findSubject } from '../access/authorize.ts';
import { networkOf } from '../access/client-address.ts';
import { allowOrigin, registerPreflights } from '../access/cross-origin.ts';
import {
  type CheckWidgetToken,
  type IdempotencyClaim,
  type PageProject,
  type Principal,
  type ProjectRef,
  toActor,
  type WidgetCaller,
  type WriteRequest,
} from '../access/principal.ts';
import { type Limits, perMinute, RateLimit } from '../access/rate-limit.ts';
import { REHEARSED, Rehearsed } from '../access/rehearsal.ts';
import { JSON_TYPE } from '../server/create-server.ts';
import { attachment, sendPages } from '../server/send-pages.ts';
import { lastEventIdOf, type StreamDeps, startStream } from '../server/start-stream.ts';
import { CsvPages, CsvText, JsonText, type OpenStream, WithCookies } from './answers.ts';
import { BAD_SIGNATURE } from './hook-routes.ts';
import { type KnownIds, makeIdCheck } from './known-ids.ts';
import { hasListCursor, listOf, openQuery, sealAnswer } from './list-cursor.ts';
import { assertStorable, assertText } from './parse-json.ts';
import { type Call, keepsAnswers, type Route, type SignedBody, toUrl } from './route.ts';
import { coerceQuery, compileCheck, invalidRequest } from './validate.ts';

export interface HttpDeps extends StreamDeps {
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Calls per second for each Workspace and environment; null for no limit. */
  readonly rateLimitPerSecond: number | null;
  readonly failedAuthenticationsPerMinute: number;
  /** Calls of the Widget for each participant. */
  readonly widgetCallsPerMinute: number;
  readonly checkWidgetToken: CheckWidgetToken;
  readonly knownIds: KnownIds;
  /** Called with the Project of each call that an API key may make. */
  readonly onKeyUse: (projectId: string) => void;
}

const NO_BODY = Closed({});

function createLimits(deps: HttpDeps): Limits {
  const rate = deps.rateLimitPerSecond;
  return {
    keys: rate === null ? null : new RateLimit(deps.clock, 'api', rate, 2 * rate),
    failedAuthentications: perMinute(deps.clock, 'auth', deps.failedAuthenticationsPerMinute),
    widget: perMinute(deps.clock, 'widget', deps.widgetCallsPerMinute),
  };
}

/** Registers all routes of the API, and the preflights of those for pages. Returns the limits that they share. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  deps: HttpDeps,
): Limits {
  const limits = createLimits(deps);
  for (const route of routes) {
    if (route.signatureHeader === null) registerRoute(app, route, deps, limits);
    else app.register(async (scope) => registerHook(scope, route, deps, limits));
  }
  registerPreflights(app, routes, deps.identities);
  return limits;
}

/** The bytes were signed, so they reach the handler unchanged. */
function registerHook(scope: FastifyInstance, route: Route, deps: HttpDeps, limits: Limits): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    JSON_TYPE,
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => body,
  );
  registerRoute(scope, route, deps, limits);
}

/**
 * The order of checks is part of the contract: credential (401), rate (429), permission (403), the
 * body's type and size (415, 413), its fields (400), the Project (404, 403), and only then the
 * operation.
 */
function registerRoute(app: FastifyInstance, route: Route, deps: HttpDeps, limits: Limits): void {
  const { access } = route;
  const principals = new WeakMap<FastifyRequest, Principal>();
  const callers = new WeakMap<FastifyRequest, WidgetCaller>();
  const checkParams = route.params && compileCheck(route.params, 'path');
  const checkQuery = route.query && compileCheck(route.query, 'query');
  // If nothing is required, no body is the same as an empty one.
  const emptyBody = route.body?.required?.length ? undefined : {};
  const checkBody = compileCheck(route.body ?? NO_BODY, 'body');
  const checkIds = makeIdCheck(route, deps.knownIds);
  const isPaged = hasListCursor(route);
  const publicLimit =
    access.by === 'public' ? perMinute(deps.clock, 'public', access.perMinute) : null;
  /** A public route can still depend on who is signed in. */
  const noteUser = async (request: FastifyRequest) => {
    const principal = await findPrincipal(request, deps.identities);
    if (principal?.type !== 'user') return;
    assertOwnPage(request, deps.identities.origin);
    principals.set(request, principal);
  };

  app.route({
    method: route.method,
    ...(route.bodyBytesMax === undefined ? {} : { bodyLimit: route.bodyBytesMax }),
    url: toUrl(route.path),
    onRequest: async (request, reply) => {
      reply.header('cache-control', access.by === 'widget' ? 'private, no-store' : 'no-store');
      if (route.isForPages) reply.header('vary', 'Origin');
      if (publicLimit) {
        reply.headers(publicLimit.admit(networkOf(request.ip)));
        if (route.projectIn === undefined) await noteUser(request);
        return;
      }
      if (access.by === 'signature') return;
      if (access.by === 'widget') {
        callers.set(request, await admitWidget(reply, access.scope, deps, limits));
        return;
      }
      const principal = await authenticate(request, access, deps.identities, limits);
      principals.set(request, principal);
      if (limits.keys && principal.type === 'key') {
        reply.headers(limits.keys.admit(`${principal.workspaceId} ${principal.environment}`));
      }
      assertAllowed(access, principal);
    },
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>;
      const signed = signedBodyOf(route, request);
      if (!signed) assertStorable(request.body, route.anyText);
      for (const [name, value] of Object.entries(params)) assertText(value, name);
      checkParams?.(params);
      const asked = readQuery(route, request);
      checkQuery?.(asked);
      const list = isPaged ? listOf(route, params, asked) : null;
      const query = list === null ? asked : openQuery(deps.keyring, list, asked);
      // A DELETE's body was merged into the query.
      const body = route.method === 'DELETE' || signed ? {} : (request.body ?? emptyBody);
      checkBody(body);
      const principal = principals.get(request);
      const idempotency = claimOf(route, request, principal, deps.keyring);
      const projectId = projectIdOf(route, params, query, body);
      const caller = callers.get(request);
      const project =
        projectId === undefined
          ? undefined
          : caller
            ? projectOfToken(caller, projectId)
            : await resolveProject(deps, route, projectId, principal);
      if (principal?.type === 'user' && access.by === 'operator') {
        const subject = await findSubject(access, { params, query, body });
        if (subject) assertMayIn(access, principal, subject.workspaceId, subject.what);
      }
      if (project && isForPage(project)) allowOrigin(request, reply, project);
      if (project) await checkIds(project, query);
      const call: Call = {
        params,
        query,
        body,
        principal,
        workspaceIds:
          principal?.type === 'user' ? principal.memberships.map((one) => one.workspaceId) : null,
        project,
        caller,
        request: {
          workspaceId: project?.workspaceId ?? '',
          projectId: project?.id ?? '',
          requestId: request.id,
          ...askerOf(request, principal, caller),
          idempotency,
          ...(currentAgentCall()?.isRehearsal ? { isRehearsal: true as const } : {}),
        },
        lastEventId: route.isStream ? lastEventIdOf(request) : null,
        signed,
        browser: request,
      };
      const answer = await (signed
        ? slowGuesses(request, limits, route, call)
        : handleCall(route, call));
      if (answer instanceof Rehearsed) return reply.code(REHEARSED).send();
      reply.code(route.status);
      if (route.isStream) {
        return startStream(reply, deps, {
          access,
          project: project as ProjectRef,
          open: answer as OpenStream,
        });
      }
      if (answer instanceof CsvText || answer instanceof CsvPages) {
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', attachment(answer.fileName))
          .send(
            answer instanceof CsvText
              ? answer.text
              : sendPages(request, answer.pages, (error) => deps.onFailure(error, request.id)),
          );
      }
      if (answer instanceof WithCookies) {
        return reply.header('set-cookie', answer.cookies).send(answer.answer);
      }
      if (!(answer instanceof JsonText)) {
        return list === null ? answer : sealAnswer(deps.keyring, list, answer);
      }
      // As bytes: a long string is written to the socket at half the speed.
      return reply.type('application/json; charset=utf-8').send(Buffer.from(answer.text));
    },
  });
}

/** The answer; of a rehearsal that it would have been accepted. */
async function handleCall(route: Route, call: Call): Promise<unknown> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof Rehearsed) return error;
    throw error;
  }
}

function signedBodyOf(route: Route, request: FastifyRequest): SignedBody | undefined {
  if (route.signatureHeader === null) return undefined;
  const header = (name: string) => {
    const value = request.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : '';
  };
  return {
    bytes: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    signature: header(route.signatureHeader),
    header,
  };
}

/** A signature is a credential: an address that keeps failing gets 429. */
async function slowGuesses(
  request: FastifyRequest,
  { failedAuthentications }: Limits,
  route: Route,
  call: Call,
): Promise<unknown> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== BAD_SIGNATURE) throw error;
    failedAuthentications.admit(networkOf(request.ip));
    throw error;
  }
}

/** A participant's address must not be stored with their actions: the audit log outlives them. */
function askerOf(
  request: FastifyRequest,
  principal: Principal | undefined,
  caller: WidgetCaller | undefined,
): Pick<WriteRequest, 'actor' | 'ip'> {
  if (caller) return { actor: { type: 'system', id: 'widget' }, ip: null };
  if (principal) {
    const agent = currentAgentCall()?.agent;
    const actor = toActor(principal);
    return { actor: agent === undefined ? actor : { ...actor, agent }, ip: request.ip };
  }
  return { actor: { type: 'system', id: 'public' }, ip: request.ip };
}

function readQuery(route: Route, request: FastifyRequest): Record<string, unknown> {
  if (!route.query) return {};
  const query = coerceQuery(route.query, request.query as Record<string, unknown>);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string') assertText(value, name);
  }
  return route.method === 'DELETE' ? withBody(route.query, query, request.body) : query;
}

/** A DELETE may have its query's fields in a body, as some clients send it. */
function withBody(
  schema: TObject,
  query: Record<string, unknown>,
  body: unknown,
): Record<string, unknown> {
  if (body === undefined || body === null) return query;
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalidRequest([{ path: '', issue: 'must be an object' }], 'body');
  const merged = { ...query };
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(schema.properties, name)) throw invalid(name, 'is not a known field');
    if (value === null) continue;
    if (query[name] !== undefined && query[name] !== value) {
      throw invalid(name, 'differs between the query and the body');
    }
    merged[name] = value;
  }
  return merged;
}

function projectIdOf(
  route: Route,
  params: Record<string, string>,
  query: Record<string, unknown>,
  body: unknown,
): string | undefined {
  switch (route.projectIn) {
    case 'path':
      assertSameProject(params.projectId, query.projectId, 'query');
      assertSameProject(params.projectId, (body as { projectId?: unknown }).projectId, 'body');
      return params.projectId;
    case 'query':
      return query.projectId as string;
    case 'body':
      return (body as Static<NonNullable<Route['body']>> & { projectId: string }).projectId;
    case 'key':
      return (body as { projectKey: string }).projectKey;
    default:
      return undefined;
  }
}

function assertSameProject(inPath: string | undefined, other: unknown, where: string): void {
  if (other !== undefined && other !== inPath) {
    throw invalid('projectId', `differs between the path and the ${where}`);
  }
}

function isForPage(project: ProjectRef | PageProject): project is PageProject {
  return 'allowedOrigins' in project;
}

/** Fails with FORBIDDEN for a Project other than the token's, whether it exists or not. */
function projectOfToken({ project }: WidgetCaller, projectId: string): PageProject {
  if (project.id === projectId) return project;
  throw new AppError('FORBIDDEN', 'The Widget token is for a different project than projectId.');
}

/**
 * Fails with NOT_FOUND for a Project of another Workspace, so that nobody learns it exists, and
 * with FORBIDDEN for a user whose role there may not do this.
 */
async function resolveProject(
  { identities, onKeyUse }: HttpDeps,
  route: Route,
  projectId: string,
  principal: Principal | undefined,
): Promise<ProjectRef | PageProject> {
  const project =
    route.projectIn === 'key'
      ? await identities.findProjectByKey(projectId)
      : await identities.findProject(projectId);
  const foreign = principal?.type === 'key' && project?.workspaceId !== principal.workspaceId;
  if (!project || foreign) throw noSuch('project');
  if (principal?.type === 'user') {
    assertMayIn(route.access, principal, project.workspaceId, 'project');
  }
  if (principal?.type === 'key' && project.environment !== principal.environment) {
    throw new AppError(
      'ENVIRONMENT_MISMATCH',
      `This is a ${project.environment} project and the key is for ${principal.environment}.`,
    );
  }
  if (principal?.type === 'key') onKeyUse(project.id);
  return project;
}

function claimOf(
  route: Route,
  request: FastifyRequest,
  principal: Principal | undefined,
  keyring: Keyring,
): IdempotencyClaim | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !principal || !keepsAnswers(route)) return null;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    throw invalid('Idempotency-Key', 'must have 1 to 255 characters');
  }
  const actor = toActor(principal);
  const path = request.url.split('?', 1)[0];
  const scope = [actor.type, actor.id, route.method, path, key].join('\n');
  return {
    keyHash: keyring.hmac('idempotency', scope).toString('base64url'),
    bodyHash: keyring.hmac('idempotency', canonicalJson(request.body ?? {})).toString('base64url'),
  };
}
