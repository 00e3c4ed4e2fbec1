import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createStaticFile, FOR_EVER, type Send } from '../../platform/http/server/static-file.ts';
import { shippedFile } from '../../platform/kit/root.ts';

/** Made by the build of the workspace `console/`. */
export const CONSOLE_FOLDER = shippedFile('console/dist');

const NONCE = '__NONCE__';

const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/**
 * The page in the console's frame that shows the real panel with made-up answers. It is framed by
 * nobody else, and calls nothing but for the panel's own texts.
 */
const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
].join('; ');

/** The console: its files, and one page that draws itself at every address below `/console`. */
export function registerConsoleFiles(app: FastifyInstance): void {
  const files = readFiles();
  const readPage = (name: string) => readFileSync(join(CONSOLE_FOLDER, name), 'utf8');
  const preview = readPage('preview.html');
  app.get('/console/preview.html', async (_request, reply) =>
    reply.headers({ ...PAGE, 'content-security-policy': PREVIEW_POLICY }).send(preview),
  );
  const showPage = pageSender(readPage('index.html'));
  app.get('/console', showPage);
  app.get('/console/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const send = files.get(name);
    if (send) return send(request, reply);
    return /^(assets|auth)\//.test(name) ? reply.callNotFound() : showPage(request, reply);
  });
}

/** By their names below `/console/`. Read at once: an upgrade replaces them on disk. */
function readFiles(): ReadonlyMap<string, Send> {
  const names = readdirSync(CONSOLE_FOLDER, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => /\.(css|js|svg|woff2)$/.test(name))
      .map((name) => {
        const plain = readFileSync(join(CONSOLE_FOLDER, name));
        const send = createStaticFile(name, () => plain, {
          'cache-control': name.startsWith('assets/') ? FOR_EVER : 'public, max-age=3600',
          'cross-origin-resource-policy': 'same-origin',
        });
        return [name, send];
      }),
  );
}

/**
 * Only scripts and styles of our own, and the styles that carry this answer's number, which the
 * page hands to the library that makes them.
 */
function pageSender(html: string) {
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        ...PAGE,
        // Pages that open the console, or that it opens, get no handle on its window. Leaving for a
        // provider and coming back in the same window does not need one.
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': [
          "default-src 'none'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' https: data:",
          "font-src 'self'",
          "connect-src 'self'",
          "frame-src 'self'",
          "form-action 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ].join('; '),
      })
      .send(html.replace(NONCE, nonce));
  };
}
