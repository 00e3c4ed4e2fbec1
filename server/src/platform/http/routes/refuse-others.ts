import type { FastifyInstance } from 'fastify';
import { AppError } from '../../kit/errors.ts';

/**
 * A known path with another method gets 405 with the allowed ones; anything else gets 404: before
 * the body is read, and also for methods that the router does not know. Must be called before the
 * routes are registered.
 */
export function refuseOthers(app: FastifyInstance): void {
  const known: { matches: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const matches = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
    for (const name of [method].flat()) known.push({ matches, method: name });
  });
  app.addHook('preParsing', async (request) => {
    if (!request.is404) return;
    const path = request.url.split('?', 1)[0] as string;
    const methods = known.filter(({ matches }) => matches.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new AppError('NOT_FOUND', 'There is no such route.');
    const allow = [...new Set(methods)].sort().join(', ');
    throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
  });
}
