import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Identities } from '../../platform/http/access/principal.ts';
import type { Limits } from '../../platform/http/access/rate-limit.ts';
import { makeMakeOffer, type OfferDeps } from './make-offer.ts';
import { type Admitted, admit } from './protocol/admit.ts';
import { showAgent, toSessionId } from './protocol/agent-name.ts';
import { answerMessage } from './protocol/answer-message.ts';
import { introducedAs, isInitialize, nameAgent, SESSION_HEADER } from './protocol/name-agent.ts';
import { makeCallRoute } from './tools/call-route.ts';

const PATH = '/mcp';

/** Codes of JSON-RPC and of the protocol. */
const INVALID_MESSAGE = -32_600;
const NO_SUCH_SESSION = -32_001;

export interface AgentDeps extends OfferDeps {
  readonly reads: Queryable;
  readonly identities: Identities;
  readonly limits: Limits;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * The Model Context Protocol over HTTP, for agents with an API key. Each call stands for itself:
 * any process answers it, and nothing is kept between calls.
 */
export function registerAgents(app: FastifyInstance, deps: AgentDeps): void {
  const makeOffer = makeMakeOffer(deps);
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  app.post<{ Querystring: Record<string, unknown> }>(
    PATH,
    {
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        admitted.set(request, await admit(request, reply, deps.identities, deps.limits));
      },
    },
    async (request, reply) => {
      const { key, text } = admitted.get(request) as Admitted;
      const { body } = request;
      if (Array.isArray(body)) {
        return refuse(reply, 400, {
          code: INVALID_MESSAGE,
          message: 'Send one message at a time.',
        });
      }
      const agent = nameAgent(request);
      if (!agent)
        return refuse(reply, 404, { code: NO_SUCH_SESSION, message: 'Session not found' });
      const { projectId } = request.query;
      const offer = makeOffer({
        reads: deps.reads,
        key,
        projectId: typeof projectId === 'string' && projectId !== '' ? projectId : null,
        call: makeCallRoute(app, { apiKey: text, ip: request.ip, agent: showAgent(agent) }),
        onFailure: (error) => deps.onFailure(error, request.id),
      });
      const response = await answerMessage(request, offer);
      if (isInitialize(body)) reply.header(SESSION_HEADER, toSessionId(introducedAs(body)));
      const type = response.headers.get('content-type');
      if (type !== null) reply.type(type);
      return reply.code(response.status).send(await response.text());
    },
  );
}

function refuse(reply: FastifyReply, status: number, error: { code: number; message: string }) {
  return reply.code(status).send({ jsonrpc: '2.0', error, id: null });
}
