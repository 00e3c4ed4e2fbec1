import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createStaticFile, FOR_EVER, type Send } from '../../platform/http/server/static-file.ts';
import { shippedFile } from '../../platform/kit/root.ts';

/** Built from the workspace `console/`. */
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
 * The page in the console's frame that shows the real panel with made-up answers. Only the console
 * may frame it, and it requests nothing except the panel's own texts.
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

/**
 * The empty page into which the console writes the preview of a mail. Mails have their styles inside; nothing
 * else is allowed, and no script can run.
 */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
].join('; ');
const MAIL_PAGE =
  '<!doctype html><html lang="en"><head><title>Mail</title></head><body></body></html>';

/** The console: its files, and a single-page app at every address below `/console`. */
export function registerConsoleFiles(app: FastifyInstance): void {
  const files = readFiles();
  const readPage = (name: string) => readFileSync(join(CONSOLE_FOLDER, name), 'utf8');
  const preview = readPage('preview.html');
  app.get('/console/preview.html', async (_request, reply) =>
    reply.headers({ ...PAGE, 'content-security-policy': PREVIEW_POLICY }).send(preview),
  );
  app.get('/console/mail-preview.html', async (_request, reply) =>
    reply.headers({ ...PAGE, 'content-security-policy': MAIL_POLICY }).send(MAIL_PAGE),
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

/** By name below `/console/`. Read at the start, because an upgrade replaces them on disk. */
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
 * Allows only our own scripts and styles, and styles with this response's nonce, which the page
 * passes to the library that creates them.
 */
function pageSender(html: string) {
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        ...PAGE,
        // Pages that open the console, or that it opens, get no reference to its window. Leaving
        // for a provider and returning in the same window needs none.
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
