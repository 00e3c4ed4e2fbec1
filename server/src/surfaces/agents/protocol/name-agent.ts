import type { FastifyRequest } from 'fastify';
import { type AgentName, readSessionId, readUserAgent } from './agent-name.ts';

export const SESSION_HEADER = 'mcp-session-id';

export function isInitialize(body: unknown): boolean {
  return (body as { method?: unknown } | null)?.method === 'initialize';
}

export function introducedAs(body: unknown): AgentName {
  const info = (body as { params?: { clientInfo?: { name?: unknown; version?: unknown } } }).params
    ?.clientInfo;
  const { name, version } = info ?? {};
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name : 'unknown',
    version: typeof version === 'string' ? version : '',
  };
}

/** Undefined for a session id that is none of ours: the client must begin again. */
export function nameAgent(request: FastifyRequest): AgentName | undefined {
  if (isInitialize(request.body)) return introducedAs(request.body);
  const sessionId = request.headers[SESSION_HEADER];
  return typeof sessionId === 'string'
    ? readSessionId(sessionId)
    : readUserAgent(request.headers['user-agent']);
}
