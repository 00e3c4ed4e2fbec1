import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readTraceparent, type Span, type Tracer } from '../../kit/tracer.ts';

/**
 * A span for every call, named by its route: never by its path or query, which may contain names
 * and tokens. Must be called before the routes are registered.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const resume = (request: FastifyRequest, next: () => void) => {
    const span = spans.get(request);
    if (span) tracer.run(span, next);
    else next();
  };
  app.addHook('onRequest', (request, _reply, next) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const span = tracer.start(`${method} ${route}`, {
      kind: 'server',
      parent: readTraceparent(request.headers.traceparent),
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'goodword.request_id': request.id,
      },
    });
    spans.set(request, span);
    resume(request, next);
  });
  // The body arrives by socket events, which do not know the span.
  app.addHook('preValidation', (request, _reply, next) => resume(request, next));
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode));
    span?.end();
  });
}
