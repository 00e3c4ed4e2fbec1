import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createGoodword } from './goodword.js';
import { renderPage } from './page.js';
import { Shop } from './shop.js';
import { signWidgetToken } from './widget-token.js';

const SESSION_COOKIE = 'shop_session';
/** Where the landing script keeps the browser's handle. */
const HANDLE_COOKIE = 'service_handle';
/** How long a click waits for Goodword to be told; after that it is told in the background. */
const PATIENCE_MS = 3_000;
const BODY_CHARS_MAX = 10_000;
const NAME_CHARS_MAX = 40;

class TooLarge extends Error {}

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('./shop.js').Person} Person */
/** @typedef {{ status?: number, headers?: Record<string, string>, body?: string }} Answer */
/** @typedef {{ request: Request, person: Person | null, url: URL }} Visit */

/**
 * @typedef {object} OwnSettings
 * @property {string} shopUrl Where browsers reach the shop: must be among the Project's `allowedOrigins`.
 * @property {string} projectKey The Project's public key, for the landing script.
 * @property {string} programId
 * @property {string} widgetSecret
 */
/** @typedef {OwnSettings & import('./goodword.js').GoodwordSettings} Settings */

/**
 * The shop's pages, as a listener for `node:http`.
 * @param {Settings} settings
 * @returns {import('node:http').RequestListener}
 */
export function createShop(settings) {
  const shop = new Shop(createGoodword(settings));
  /** @type {Map<string, Person>} */
  const sessions = new Map();

  /** @type {Record<string, (visit: Visit) => Answer | Promise<Answer>>} */
  const routes = {
    'GET /': ({ person, url }) => {
      const isInvited = url.searchParams.has('ref');
      const price = person ? shop.priceFor(person) : null;
      return page(renderPage({ settings, person, price, isInvited }));
    },

    'POST /sign-up': async ({ request }) => {
      const name = ((await readForm(request)).get('name') ?? '').trim();
      if (name === '' || name.length > NAME_CHARS_MAX) {
        return text(400, `A name has 1 to ${NAME_CHARS_MAX} characters.`);
      }
      const { person, told } = shop.enter(name, readCookie(request, HANDLE_COOKIE));
      await patiently(told);
      const session = randomBytes(32).toString('base64url');
      sessions.set(session, person);
      return goHome(session);
    },

    'POST /buy': async ({ request, person }) => {
      if (!person) return goHome();
      const cartId = (await readForm(request)).get('cart');
      await patiently(shop.buy(person, cartId));
      return goHome();
    },

    'POST /sign-out': ({ request }) => {
      sessions.delete(readCookie(request, SESSION_COOKIE) ?? '');
      return goHome('');
    },

    /** For whoever is signed in, and nobody else. */
    'GET /widget-token': ({ person }) =>
      person ? text(200, signWidgetToken(settings, person.id)) : text(401, 'Sign up first.'),

    'GET /shop.css': file('shop.css', 'text/css'),
    'GET /start-widget.js': file('start-widget.js', 'text/javascript'),
    'GET /mug.svg': file('mug.svg', 'image/svg+xml'),
  };

  // Besides its own files the page needs Goodword, for the two scripts and what they call.
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${settings.goodwordUrl}`,
    `connect-src 'self' ${settings.goodwordUrl}`,
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const always = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };

  /**
   * @param {Request} request
   * @returns {Promise<Answer>}
   */
  async function answer(request) {
    const url = new URL(settings.shopUrl + request.url);
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route) return text(404, 'Nothing is here.');
    // Other pages must not press the shop's buttons.
    const { origin } = request.headers;
    if (request.method === 'POST' && origin && origin !== settings.shopUrl) {
      return text(403, 'Not from here.');
    }
    const person = sessions.get(readCookie(request, SESSION_COOKIE) ?? '') ?? null;
    return route({ request, person, url });
  }

  return (request, response) => {
    answer(request)
      .catch((error) => {
        if (error instanceof TooLarge) return text(413, 'That is too much.');
        console.error(error);
        return text(500, 'Something went wrong here.');
      })
      .then(({ status = 200, headers, body }) => {
        response.writeHead(status, { ...always, ...headers }).end(body);
      });
  };
}

/** @param {Promise<void>} told */
const patiently = (told) => Promise.race([told, delay(PATIENCE_MS, undefined, { ref: false })]);

/** @param {string} body */
const page = (body) => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body });

/**
 * @param {number} status
 * @param {string} body
 */
const text = (status, body) => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

/**
 * Back to the page, so that reloading it sends nothing again.
 * @param {string} [session] A new one; empty to end the one that there is.
 */
function goHome(session) {
  /** @type {Record<string, string>} */
  const headers = { location: '/' };
  if (session !== undefined) {
    const life = session === '' ? '; Max-Age=0' : '';
    // With https, which this shop on loopback does not have, add Secure.
    headers['set-cookie'] = `${SESSION_COOKIE}=${session}; Path=/; HttpOnly; SameSite=Lax${life}`;
  }
  return { status: 303, headers };
}

/**
 * @param {string} name
 * @param {string} type
 */
function file(name, type) {
  const body = readFileSync(new URL(`../public/${name}`, import.meta.url), 'utf8');
  return () => ({ headers: { 'content-type': `${type}; charset=utf-8` }, body });
}

/**
 * @param {Request} request
 * @param {string} name
 */
function readCookie(request, name) {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return pairs.find(([key]) => key === name)?.[1];
}

/** @param {Request} request */
async function readForm(request) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    // The rest is read all the same, for the answer to arrive, but not kept.
    if (body.length <= BODY_CHARS_MAX) body += chunk;
  }
  if (body.length > BODY_CHARS_MAX) throw new TooLarge();
  return new URLSearchParams(body);
}
