import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { shippedFile } from '../../../platform/kit/root.ts';

/** Made by the build of the workspace `landing/`. */
export const LANDING_SCRIPT_FILE = shippedFile('landing/dist/v1.js');

/** Pages of every origin load it, under `crossorigin` and cross-origin isolation too. */
const HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

export function registerLandingScript(app: FastifyInstance): void {
  const script = readFileSync(LANDING_SCRIPT_FILE);
  app.get('/landing/v1.js', async (_request, reply) => reply.headers(HEADERS).send(script));
}
