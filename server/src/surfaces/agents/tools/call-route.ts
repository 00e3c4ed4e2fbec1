import type { FastifyInstance } from 'fastify';
import { asAgent } from '../../../platform/http/access/agent.ts';
import { REHEARSED } from '../../../platform/http/access/rehearsal.ts';
import { assertStorable } from '../../../platform/http/routes/parse-json.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { AppError, type ErrorCode, type Issue, invalid } from '../../../platform/kit/errors.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A call of one of the service's own routes. The arguments are its parameters, query and body together. */
interface RouteCall {
  readonly route: Route;
  readonly projectId: string;
  readonly args: Json;
  readonly idempotencyKey?: string;
  /** Resolves to nothing if the call would be accepted, and changes nothing. */
  readonly isRehearsal?: true;
}

/** Resolves to the response, and fails with the route's refusal. */
export type CallRoute = (call: RouteCall) => Promise<Json>;

/** Who calls: the credential and the address of the outer request. */
export interface AgentCaller {
  readonly apiKey: string;
  readonly ip: string;
  readonly agent: string;
}

/**
 * Calls routes inside the process as an outside caller would, so that limits, permissions, checks,
 * refusals and the audit log are the route's own.
 */
export function makeCallRoute(app: FastifyInstance, caller: AgentCaller): CallRoute {
  return ({ route, projectId, args, idempotencyKey, isRehearsal = false }) =>
    asAgent({ agent: caller.agent, isRehearsal }, async () => {
      // An address cannot hold every text.
      assertStorable({ ...args, projectId });
      const { path, query, body } = toRequest(route, projectId, args);
      const response = await app.inject({
        method: route.method,
        url: path,
        query,
        ...(body === undefined ? {} : { payload: body }),
        remoteAddress: caller.ip,
        headers: {
          'x-api-key': caller.apiKey,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
      });
      if (isRehearsal && response.statusCode === REHEARSED) return {};
      const answer = response.json();
      if (response.statusCode >= 400) throw toRefusal(answer);
      if (isRehearsal) throw new Error(`${route.path} cannot be rehearsed.`);
      return answer;
    });
}

interface Wire {
  readonly path: string;
  readonly query: Record<string, string>;
  readonly body: Record<string, unknown> | undefined;
}

/** The arguments where the route expects them. */
export function toRequest(route: Route, projectId: string, args: Json): Wire {
  const names = Object.keys(route.params?.properties ?? {});
  const inPath: Json = { ...args, projectId };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(name, String(inPath[name])),
  );
  const rest = Object.entries({
    ...args,
    ...(route.projectIn === 'path' ? {} : { projectId }),
  }).filter(([name]) => !names.includes(name));
  if (route.method !== 'GET') return { path, query: {}, body: Object.fromEntries(rest) };
  const given = rest.filter(([, value]) => value !== undefined && value !== null);
  return {
    path,
    query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    body: undefined,
  };
}

/** An id must not change the path: as a segment, dots lead to another route. */
function toSegment(name: string, id: string): string {
  if (/^\.{1,2}$/.test(id)) throw invalid(name, 'is not an id');
  return encodeURIComponent(id);
}

function toRefusal({ error }: { error: ErrorBody }): AppError {
  return new AppError(error.code, error.message, {
    ...(error.reason === null ? {} : { reason: error.reason }),
    ...(error.details === null ? {} : { details: error.details }),
  });
}

interface ErrorBody {
  readonly code: ErrorCode;
  readonly reason: string | null;
  readonly message: string;
  readonly details: readonly Issue[] | null;
}
