import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

export type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves a file from memory, compressed for clients that accept that. It is prepared on the first request. */
export function registerStaticFile(
  app: FastifyInstance,
  path: string,
  make: () => Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  app.get(path, createStaticFile(path, make, headers));
}

/** The same as the handler of a route with many files. */
export function createStaticFile(
  path: string,
  make: () => Buffer,
  headers: Readonly<Record<string, string>>,
): Send {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`Unknown content type for ${path}`);
  let file: { readonly plain: Buffer; readonly digest: string } | undefined;
  let packed: Buffer | undefined;
  return async (request, reply) => {
    file ??= withDigest(make());
    const { plain, digest } = file;
    reply.headers({
      ...headers,
      'content-type': type,
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      // Weak: compressed or not, it is the same file.
      etag: `W/"${digest}"`,
    });
    const known = String(request.headers['if-none-match'] ?? '');
    if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${digest}"`)) {
      return reply.code(304).send();
    }
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain);
    packed ??= gzipSync(plain, { level: 9 });
    return reply.header('content-encoding', 'gzip').send(packed);
  };
}

function withDigest(plain: Buffer) {
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  return { plain, digest };
}

export function takesGzip(accepted: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(String(accepted ?? ''));
}

/** For files that are named after their content: their bytes never change. */
export const FOR_EVER = 'public, max-age=31536000, immutable';
