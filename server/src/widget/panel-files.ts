import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** Made by the build of the workspace `widget/`; as far from the sources as from what is built of them. */
export const PANEL_FOLDER = fileURLToPath(new URL('../../../widget/dist', import.meta.url));

/** Named after their content: such a file has the same bytes for ever. */
const PINNED = /-[0-9a-f]{16}\.\w+$/;

const TYPES = { js: 'text/javascript; charset=utf-8', json: 'application/json; charset=utf-8' };

/** The panel and its languages, for pages of every origin. Only the names that are there are served. */
export function registerPanelFiles(app: FastifyInstance): void {
  for (const name of readdirSync(PANEL_FOLDER)) {
    const plain = readFileSync(join(PANEL_FOLDER, name));
    const packed = gzipSync(plain, { level: 9 });
    const headers = {
      'content-type': name.endsWith('.js') ? TYPES.js : TYPES.json,
      'cache-control': PINNED.test(name)
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    };
    app.get(`/widget/${name}`, async (request, reply) => {
      reply.headers(headers);
      if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain);
      return reply.header('content-encoding', 'gzip').send(packed);
    });
  }
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(String(accepted ?? ''));
}
