import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { CONTENT_SECURITY_POLICY, renderReference } from './render-reference.ts';

/** Serves the reference at /docs. It is made at the first request and then kept. */
export function registerDocs(app: FastifyInstance, openapi: object, baseUrl: string): void {
  let kept: { readonly page: string; readonly etag: string } | undefined;
  const make = () => {
    const page = renderReference(openapi, baseUrl);
    const digest = createHash('sha256').update(page).digest('base64url');
    return { page, etag: `"${digest.slice(0, 27)}"` };
  };
  app.get('/docs', async (request, reply) => {
    kept ??= make();
    reply.headers({
      'cache-control': 'public, max-age=300',
      etag: kept.etag,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    // A proxy that compresses the page marks the tag as weak; it still names the same page.
    if (request.headers['if-none-match']?.includes(kept.etag)) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(kept.page);
  });
}
