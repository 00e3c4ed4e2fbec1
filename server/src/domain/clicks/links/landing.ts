import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { shippedFile } from '../../../platform/kit/root.ts';

/** The parameters that a followed link adds. */
const PARAMETERS = ['ref', 'service_click'] as const;

/** An address with room for the referral at the end of its query. */
interface Frame {
  readonly before: string;
  readonly after: string;
}

const FRAMES_MAX = 1_000;
/** The landing pages of busy Programs, by address. */
const frames = new LRUCache<string, Frame>({ max: FRAMES_MAX });

/**
 * The landing page's address with the referral added. The rest of its query stays byte for byte;
 * its own parameters with these names are replaced. `ref` and `click` are plain letters and digits.
 */
export function toReferralAddress(landingPageUrl: string, ref: string, click: string): string {
  const frame = frames.get(landingPageUrl) ?? frameOf(landingPageUrl);
  frames.set(landingPageUrl, frame);
  const [refName, clickName] = PARAMETERS;
  return `${frame.before}${refName}=${ref}&${clickName}=${click}${frame.after}`;
}

function frameOf(landingPageUrl: string): Frame {
  const url = new URL(landingPageUrl);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !PARAMETERS.some((name) => isNamed(pair, name)));
  // Includes the question mark: otherwise a query that begins with one would lose it.
  url.search = `?${[...kept, PLACE].join('&')}`;
  const end = url.href.indexOf('#');
  const [whole, after] = end < 0 ? [url.href, ''] : [url.href.slice(0, end), url.href.slice(end)];
  return { before: whole.slice(0, -PLACE.length), after };
}

/** Where the referral goes. */
const PLACE = 'referral';

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
