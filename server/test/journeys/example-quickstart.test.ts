import { jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Child, type Env, killAll, launchDemo, launchShop } from '../process.ts';
import { type Receiver, receiveHttp } from '../receiver.ts';

const SECRET = 'wsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const PATHS = { events: 'POST /v1/track/events', rewards: 'GET /v1/rewards' };

interface Call {
  readonly path: string;
  readonly key: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into calls of every shape
  readonly body: any;
}

/** In Goodword's place: what it was told, and what it answers next; a success when there is nothing left. */
let goodword: Receiver;
let calls: Call[];
let answers: number[];
let attribution: object | null;
let shop: Child;
let shopUrl: string;
let env: Env;

beforeEach(async () => {
  calls = [];
  answers = [];
  attribution = null;
  goodword = await receiveHttp(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = `${request.method} ${request.url?.split('?')[0]}`;
    const body = text === '' ? null : JSON.parse(text);
    calls.push({ path, key: request.headers['x-api-key'], body });
    const status = answers.shift() ?? 200;
    const discount = { id: 'rwd_1', benefitKind: 'discount', discount: { rateBps: 1_000 } };
    const data = path === PATHS.rewards ? [discount] : undefined;
    response.writeHead(status).end(JSON.stringify({ eventId: 'evt_1', attribution, data }));
  });
  env = {
    GOODWORD_URL: `http://127.0.0.1:${goodword.port}`,
    GOODWORD_KEY: 'gw_sandbox_key',
    PROJECT: 'prj_1',
    PROJECT_KEY: 'k7m2p9xw4c',
    PROGRAM: 'prg_1',
    SOURCE: 'src_1',
    WIDGET_SECRET: SECRET,
  };
  shop = launchShop(env);
  shopUrl = await shop.ready;
});
afterEach(async () => {
  await killAll();
  await goodword.close();
});

/** A browser, as far as the shop can tell. */
class Visitor {
  readonly #cookies: Record<string, string> = {};

  constructor(cookies: Record<string, string> = {}) {
    this.#cookies = { ...cookies };
  }

  async send(path: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
    const cookie = Object.entries(this.#cookies).map(([name, value]) => `${name}=${value}`);
    const response = await fetch(shopUrl + path, {
      headers: { cookie: cookie.join('; '), ...headers },
      redirect: 'manual',
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    const set = /^(\w+)=([^;]*)/.exec(response.headers.get('set-cookie') ?? '');
    if (set) this.#cookies[set[1] as string] = set[2] as string;
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async notes(): Promise<string[]> {
    const { text } = await this.send('/');
    return [...text.matchAll(/<li>(.*?)<\/li>/g)]
      .map(([, note]) => note as string)
      .filter((note) => note.includes('Goodword'));
  }

  async cart(): Promise<string> {
    const { text } = await this.send('/');
    return /name="cart" value="([^"]+)"/.exec(text)?.[1] ?? '';
  }
}

const types = () => calls.map(({ body }) => body?.type ?? null);

describe('what Goodword is told', () => {
  test('a signup, with the cookie’s handle as it is, and without one no identification', async () => {
    await new Visitor({ service_handle: 'hdl_7' }).send('/sign-up', { name: ' Ada ' });
    await new Visitor().send('/sign-up', { name: 'Bob' });
    const signup = {
      projectId: 'prj_1',
      sourceNamespaceId: 'src_1',
      type: 'signup',
      participant: { kind: 'individual', externalId: expect.stringMatching(/^user-/) },
    };
    expect(calls).toEqual([
      {
        path: PATHS.events,
        key: 'gw_sandbox_key',
        body: { ...signup, identify: { handle: 'hdl_7' } },
      },
      { path: PATHS.events, key: 'gw_sandbox_key', body: signup },
    ]);
    expect(calls[0]?.body.participant).not.toEqual(calls[1]?.body.participant);
  });

  test('a login is no signup', async () => {
    await new Visitor().send('/sign-up', { name: 'Ada' });
    await new Visitor().send('/sign-up', { name: 'ADA' });
    expect(calls).toHaveLength(1);
  });

  test('a purchase once, of clicks at the same moment and of late repeats, and the next as another', async () => {
    const ada = new Visitor();
    await ada.send('/sign-up', { name: 'Ada' });
    const cart = await ada.cart();
    await Promise.all([1, 2, 3].map(() => ada.send('/buy', { cart })));
    await ada.send('/buy', { cart });
    await ada.send('/buy', { cart: await ada.cart() });
    const bought = calls.filter(({ body }) => body.type === 'purchase').map(({ body }) => body);
    expect(bought).toMatchObject([
      { sourceEventId: cart, purchase: { amountMinor: '4000', currency: 'USD' } },
      { sourceEventId: expect.stringMatching(/^order-/) },
    ]);
    expect(bought[1].sourceEventId).not.toBe(cart);
  });

  test('what was paid after the discount of a referral, which is taken off once and reported as given', async () => {
    attribution = { referralId: 'ref_1' };
    const bob = new Visitor();
    await bob.send('/sign-up', { name: 'Bob' });
    const first = await bob.cart();
    await bob.send('/buy', { cart: first });
    await bob.send('/buy', { cart: await bob.cart() });
    expect(calls.map(({ path, body }) => [path, body?.purchase?.amountMinor])).toEqual([
      [PATHS.events, undefined],
      [PATHS.rewards, undefined],
      [PATHS.events, '3600'],
      ['POST /v1/rewards/rwd_1/fulfillment', undefined],
      [PATHS.events, '4000'],
    ]);
    expect(calls[3]?.body).toEqual({ projectId: 'prj_1', externalReference: first });
  });

  test('what could not be told is sent again as it was, before anything later', async () => {
    // A wrong key passes too, once somebody mends it.
    answers = [503, 401];
    const ada = new Visitor();
    await ada.send('/sign-up', { name: 'Ada' });
    await ada.send('/buy', { cart: await ada.cart() });
    const told = ['signup', 'signup', 'signup', 'purchase'];
    await expect.poll(types, { timeout: 20_000 }).toEqual(told);
    expect(calls[1]).toEqual(calls[0]);
    expect(calls[2]).toEqual(calls[0]);
    await expect.poll(() => ada.notes()).toHaveLength(2);
  });

  test('what Goodword refuses is said, and not sent again', async () => {
    answers = [400];
    const ada = new Visitor();
    await ada.send('/sign-up', { name: 'Ada' });
    expect((await ada.notes())[0]).toMatch(/^Goodword refused: signup of Ada\. It answered 400/);
    await ada.send('/buy', { cart: await ada.cart() });
    expect(types()).toEqual(['signup', 'purchase']);
  });
});

describe('the shop', () => {
  test('signs a token for whoever is signed in, and for nobody else', async () => {
    const ada = new Visitor();
    expect((await ada.send('/widget-token')).status).toBe(401);
    await ada.send('/sign-up', { name: 'Ada' });
    const { text } = await ada.send('/widget-token');
    const { payload, protectedHeader } = await jwtVerify(text, new TextEncoder().encode(SECRET), {
      issuer: 'prj_1',
      audience: 'service-widget',
      typ: 'service-widget+jwt',
      algorithms: ['HS256'],
    });
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'service-widget+jwt' });
    expect(payload).toMatchObject({
      projectId: 'prj_1',
      sub: calls[0]?.body.participant.externalId,
      participantKind: 'individual',
      scope: 'widget:read widget:payout',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
    await ada.send('/sign-out', {});
    expect((await ada.send('/widget-token')).status).toBe(401);
  });

  test('shows a name as text, whatever is in it', async () => {
    const mallory = new Visitor();
    await mallory.send('/sign-up', { name: `<b onclick="x">'&` });
    const { text } = await mallory.send('/');
    expect(text).toContain('Signed in as <b>&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;</b>');
    expect(text).not.toContain('<b onclick');
  });

  test('takes no clicks of other pages, no forms that are too large and no empty names', async () => {
    const ada = new Visitor();
    const foreign = { origin: 'https://evil.example' };
    expect((await ada.send('/sign-up', { name: 'Ada' }, foreign)).status).toBe(403);
    expect((await ada.send('/sign-up', { name: 'A'.repeat(1_000_000) })).status).toBe(413);
    expect((await ada.send('/sign-up', { name: ' ' })).status).toBe(400);
    expect((await ada.send('/sign-up', { name: 'A'.repeat(41) })).status).toBe(400);
    expect((await ada.send('/elsewhere')).status).toBe(404);
    expect(calls).toEqual([]);
  });

  test('allows its pages nothing but its own files and Goodword', async () => {
    const { headers } = await new Visitor().send('/');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self' ${env.GOODWORD_URL}; connect-src 'self' ${env.GOODWORD_URL}; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    );
  });

  test('says which setting it lacks', async () => {
    const { PROGRAM: _, ...rest } = env;
    expect(await launchShop(rest).ended).toMatchObject({
      code: 1,
      stderr: 'The shop cannot start: Set PROGRAM; README.md says to what.\n',
    });
  });
});

test.each([
  [{ DEMO_SHOP_PORT: 'taken' }, 'Set DEMO_SHOP_PORT to another, or to none.'],
  [{ DEMO_PORT: '80 80' }, 'DEMO_PORT must be a port from 0 to 65535'],
])('the demo says what is in its way: %o', async (settings, sentence) => {
  const port = new URL(shopUrl).port;
  const asked = Object.entries(settings).map(([name, value]) => [
    name,
    value === 'taken' ? port : value,
  ]);
  const { code, stderr } = await launchDemo(Object.fromEntries(asked)).ended;
  expect(code).toBe(1);
  expect(stderr).toContain('The demo cannot start.');
  expect(stderr).toContain(sentence);
});
