import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { shippedFile } from '../../../platform/kit/root.ts';

/** The parameters that a followed link adds. */
const PARAMETERS = ['ref', 'service_click'] as const;

/**
 * The landing page's address with the referral added. The rest of its query stays byte for byte;
 * its own parameters with these names are replaced.
 */
export function toReferralAddress(landingPageUrl: string, ref: string, click: string): string {
  const url = new URL(landingPageUrl);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !PARAMETERS.some((name) => isNamed(pair, name)));
  const [refName, clickName] = PARAMETERS;
  // Includes the question mark: otherwise a query that begins with one would lose it.
  url.search = `?${[...kept, `${refName}=${ref}`, `${clickName}=${click}`].join('&')}`;
  return url.href;
}

function isNamed(pair: string, name: string): boolean {
  return pair === name || pair.startsWith(`${name}=`);
}

/** Built by the workspace `landing/`. */
export const LANDING_SCRIPT_FILE = shippedFile('landing/dist/v1.js');

/** Pages of every origin load it, also with `crossorigin` and under cross-origin isolation. */
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
