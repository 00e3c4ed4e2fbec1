import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MailError } from '../../src/platform/mail/mailer.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { type AffiliateShop, newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { startService, type TestService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';
import { type Shown, Visitor } from '../visitor.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SESSION = '__Host-partner-session';

const mailer = new TestMailer();
let service: TestService;
let shop: AffiliateShop;
let visitor: Visitor;
let email: string;
let partners = 0;

beforeAll(async () => {
  service = await startService({ mailer });
});
afterAll(() => service.close());
beforeEach(async () => {
  // Past all limits that the tests before have used up.
  service.clock.advance(8 * DAY_MS);
  for (const table of ['partner_sessions', 'partner_sign_in_links']) {
    await rowsOf(`delete from ${table}`);
  }
  mailer.sent.length = 0;
  mailer.failure = null;
  partners += 1;
  email = `Grace.${partners}@Example.com`;
  shop = await openAffiliateShop(service, await service.newProject(), email);
  mailer.sent.length = 0;
  visitor = new Visitor(service);
});

const rowsOf = <R>(sql: string, params: unknown[] = []) =>
  service.database.transaction((tx) => tx.query<R>(sql, params));
const countOf = async (table: string) =>
  (await rowsOf<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n;
const ask = async (address = email, by = visitor): Promise<Shown> => {
  await by.get('/partner');
  return by.post('/partner/link', { email: address });
};
const tokenOf = () => visitor.link(email).searchParams.get('token') ?? '';
const isSignedIn = async (by = visitor) => (await by.get('/partner')).html.includes('Sign out');
const suspend = (action: 'suspend' | 'reinstate') =>
  service.call('POST', `/v1/partners/${shop.partnerId}/${action}`, { as: 'operator', body: {} });
const erase = () =>
  service.call('DELETE', `/v1/participants/${shop.participantId}`, {
    as: shop.project.key,
    query: { projectId: shop.project.projectId, force: true },
  });

describe('signing in', () => {
  test('by the link in a mail: opening it spends nothing, its button does, once', async () => {
    expect((await ask()).location).toBe('/partner/sent');
    await service.sendMails();
    expect(mailer.sent).toHaveLength(1);
    const { pathname, search, href } = visitor.link(email);
    expect(href).toMatch(/^https:\/\/refer\.example\.com\/partner\/sign-in\?token=psl_/);
    // As scanners of mail do.
    for (let times = 0; times < 3; times += 1) {
      const opened = await new Visitor(service).get(pathname + search);
      expect([opened.status, opened.html.includes(email)]).toEqual([200, true]);
    }
    await visitor.get(pathname + search);
    const pressed = await visitor.post('/partner/sign-in', { token: tokenOf() });
    expect([pressed.status, pressed.location]).toEqual([303, '/partner']);
    expect(pressed.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-partner-session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect(await isSignedIn()).toBe(true);
    const again = new Visitor(service);
    await again.get('/partner');
    expect((await again.get(pathname + search)).status).toBe(410);
    const twice = await again.post('/partner/sign-in', { token: tokenOf() });
    expect([twice.status, twice.html.includes('This link was already used')]).toEqual([410, true]);
    expect(again.cookies.has(SESSION)).toBe(false);
    // Who pressed twice has signed in all the same.
    expect((await visitor.post('/partner/sign-in', { token: tokenOf() })).location).toBe(
      '/partner',
    );
  });

  test('of ten who press at once, one signs in', async () => {
    await ask();
    await service.sendMails();
    const many = Array.from({ length: 10 }, () => new Visitor(service));
    for (const one of many) await one.get(`/partner/sign-in?token=${tokenOf()}`);
    const token = tokenOf();
    const answers = await Promise.all(many.map((one) => one.post('/partner/sign-in', { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(410)]);
  });

  test('whether an address is known shows nowhere, and nothing of an unknown one is kept', async () => {
    const stranger = new Visitor(service);
    const [known, unknown] = [await ask(), await ask('nobody@example.com', stranger)];
    const look = ({ status, html, location }: Shown) => ({ status, html, location });
    expect(look(unknown)).toEqual(look(known));
    expect((await stranger.get('/partner/sent')).html).toBe(
      (await visitor.get('/partner/sent')).html,
    );
    // The same writes, too: the worker alone tells them apart.
    expect(await countOf('partner_sign_in_links')).toBe(2);
    await service.sendMails();
    expect(mailer.sent.map(({ to }) => to)).toEqual([email]);
    expect(
      await rowsOf(`select 1 from partner_sign_in_links where email_key like 'nobody%'`),
    ).toEqual([]);
  });

  test('a link works for 30 minutes, and to the case of letters it is all one', async () => {
    await ask(email.toUpperCase());
    await service.sendMails();
    service.clock.advance(30 * MINUTE_MS - 1);
    expect((await visitor.get(`/partner/sign-in?token=${tokenOf()}`)).status).toBe(200);
    service.clock.advance(1);
    const late = await visitor.post('/partner/sign-in', { token: tokenOf() });
    expect([late.status, late.html.includes('This link does not work')]).toEqual([400, true]);
    expect((await visitor.get(`/partner/sign-in?token=${tokenOf()}`)).status).toBe(400);
    expect(await isSignedIn()).toBe(false);
  });

  test('forged, cut, foreign and missing tokens get a clear page and sign nobody in', async () => {
    await ask();
    await service.sendMails();
    const token = tokenOf();
    const [id, signature = ''] = token.split('.');
    const flipped = signature.startsWith('A') ? 'B' : 'A';
    const bad = [
      '',
      'rubbish',
      id ?? '',
      token.slice(0, -1),
      `${token}x`,
      `${id}.${flipped}${signature.slice(1)}`,
      `psl_${'0'.repeat(26)}.${signature}`,
      'x'.repeat(5_000),
    ];
    for (const one of bad) {
      const query = new URLSearchParams({ token: one });
      const opened = await visitor.get(`/partner/sign-in?${query}`);
      expect([one, opened.status]).toEqual([one, 400]);
      const pressed = await visitor.post('/partner/sign-in', { token: one });
      expect([one, pressed.status]).toEqual([one, 400]);
    }
    expect((await visitor.get('/partner/sign-in?token=a&token=b')).status).toBe(400);
    expect(visitor.cookies.has(SESSION)).toBe(false);
    expect(await countOf('partner_sessions')).toBe(0);
  });

  test('what is no address is said at the field', async () => {
    await visitor.get('/partner');
    for (const bad of ['', 'grace', 'a@b', `${'x'.repeat(300)}@example.com`, '"><script>@x.y']) {
      const answer = await visitor.post('/partner/link', { email: bad });
      expect([bad, answer.status]).toEqual([bad, 400]);
      expect(answer.html).toContain('id="email-error"');
      expect(answer.html).not.toContain('<script>');
    }
    expect(await countOf('partner_sign_in_links')).toBe(0);
  });

  test('a mailbox gets five mails at once, with the same answer after that', async () => {
    for (let times = 0; times < 8; times += 1) {
      expect((await ask()).location).toBe('/partner/sent');
    }
    await service.sendMails();
    expect(mailer.sent).toHaveLength(5);
    service.clock.advance(HOUR_MS);
    await ask();
    await service.sendMails();
    expect(mailer.sent).toHaveLength(6);
  });

  test('a network asks for ten links a minute at most', async () => {
    for (let times = 0; times < 10; times += 1) await ask(`someone.${times}@example.com`);
    const answer = await ask('another@example.com');
    expect([answer.status, answer.html.includes('Too many requests')]).toEqual([429, true]);
    expect(answer.headers.get('retry-after')).toBe('6');
  });

  test('a mail that is not taken is tried again while its link is worth it', async () => {
    mailer.failure = new MailError('Try later.', false);
    await ask();
    await service.sendMails();
    service.clock.advance(14_999);
    mailer.failure = null;
    await service.sendMails();
    expect(mailer.sent).toHaveLength(0);
    service.clock.advance(1);
    await service.sendMails();
    expect(mailer.sent).toHaveLength(1);
    // One that stayed in the queue until it ran out is not sent.
    await ask();
    service.clock.advance(31 * MINUTE_MS);
    await service.sendMails();
    expect(mailer.sent).toHaveLength(1);
  });

  test('without mail, or without https, there is no page to sign in to, and it says so', async () => {
    for (const options of [{}, { mailer, settings: { baseUrl: 'http://refer.example.com' } }]) {
      const other = await startService(options);
      const answer = await fetch(`${other.url}/partner`);
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain('The partner page is not available');
      expect((await fetch(`${other.url}/partner/link`, { method: 'POST' })).status).toBe(404);
      await other.close();
    }
  });
});

describe('a session', () => {
  test('ends when it is left alone for 12 hours, and after 7 days in any case', async () => {
    await visitor.signIn(email);
    service.clock.advance(12 * HOUR_MS - 1);
    expect(await isSignedIn()).toBe(true);
    service.clock.advance(12 * HOUR_MS);
    expect(await isSignedIn()).toBe(false);
    await visitor.signIn(email);
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      service.clock.advance(6 * HOUR_MS);
      expect(await isSignedIn()).toBe(true);
    }
    service.clock.advance(6 * HOUR_MS);
    expect(await isSignedIn()).toBe(false);
  });

  test('ends by signing out, for whoever has its cookie', async () => {
    await visitor.signIn(email);
    const copy = new Visitor(service);
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
    expect(await isSignedIn(copy)).toBe(true);
    const out = await visitor.post('/partner/sign-out');
    expect([out.status, visitor.cookies.has(SESSION)]).toEqual([303, false]);
    expect(await isSignedIn(copy)).toBe(false);
    expect(await countOf('partner_sessions')).toBe(0);
  });

  test('signing in again ends the one before', async () => {
    await visitor.signIn(email);
    await visitor.signIn(email);
    expect(await countOf('partner_sessions')).toBe(1);
  });

  test('is kept as a hash: neither cookie nor token is in the store or the log', async () => {
    await visitor.signIn(email);
    const secrets = [visitor.cookies.get(SESSION) ?? '', tokenOf()];
    expect(secrets.every((secret) => secret.length > 40)).toBe(true);
    const stored = JSON.stringify([
      await rowsOf('select * from partner_sessions'),
      await rowsOf('select * from partner_sign_in_links'),
    ]);
    for (const secret of secrets) {
      expect(stored).not.toContain(secret);
      expect(service.log.join('\n')).not.toContain(secret);
    }
    expect(service.log.join('\n')).not.toContain(email.toLowerCase());
  });

  test('of another token, or of none, shows nothing', async () => {
    for (const value of ['x', 'A'.repeat(43), '']) {
      visitor.cookies.set(SESSION, value);
      expect(await isSignedIn()).toBe(false);
      for (const path of ['rewards', 'payouts', 'details', 'choose']) {
        const answer = await visitor.get(`/partner/${path}`);
        expect([answer.status, answer.location]).toEqual([303, '/partner']);
      }
    }
  });

  test('and links end with the Partner; the address may become one anew, and signs in anew', async () => {
    await visitor.signIn(email);
    await ask(email, new Visitor(service));
    expect((await erase()).status).toBe(200);
    expect(await isSignedIn()).toBe(false);
    expect(await countOf('partner_sessions')).toBe(0);
    expect(await countOf('partner_sign_in_links')).toBe(0);
    const save = await visitor.post('/partner/details', { kind: 'paypal', email });
    expect([save.status, save.location]).toEqual([303, '/partner']);
    mailer.sent.length = 0;
    await ask();
    await service.sendMails();
    expect(mailer.sent).toEqual([]);
    await openAffiliateShop(service, await newSibling(service, shop.project), email);
    expect(await isSignedIn()).toBe(false);
    await visitor.signIn(email);
    expect(await isSignedIn()).toBe(true);
  });

  test('of one address with several Partners asks whose page to show, and keeps to it', async () => {
    const other = await openAffiliateShop(service, await service.newProject(), email);
    await shop.signUp('bob');
    await shop.buy('bob', 'order');
    await visitor.signIn(email);
    const asked = await visitor.get('/partner');
    expect(asked.location).toBe('/partner/choose');
    expect((await visitor.get('/partner/details')).location).toBe('/partner/choose');
    const choice = await visitor.get('/partner/choose');
    for (const { partnerId } of [shop, other]) expect(choice.html).toContain(partnerId);
    // Only what the address is.
    const stranger = await openAffiliateShop(service, await service.newProject(), 'x@example.com');
    const refused = await visitor.post('/partner/choose', { partner: stranger.partnerId });
    expect(refused.location).toBe('/partner/choose');
    await visitor.post('/partner/choose', { partner: shop.partnerId });
    expect((await visitor.get('/partner')).html).toContain('$20.00');
    await visitor.post('/partner/choose', { partner: other.partnerId });
    const shown = (await visitor.get('/partner')).html;
    expect(shown).toContain(other.code);
    expect(shown).not.toContain('$20.00');
    expect(shown).not.toContain(shop.code);
  });
});

describe('a form', () => {
  const save = (headers: Record<string, string> = {}, fields: Record<string, string> = {}) =>
    visitor.post(
      '/partner/details',
      { kind: 'paypal', email: 'grace@example.com', ...fields },
      headers,
    );
  const saved = () => countOf('payout_details');

  test('of another site, without its token or its cookie changes nothing and is 403', async () => {
    await visitor.signIn(email);
    const before = await saved();
    const attacks = [
      await save({ origin: 'https://evil.example.com' }),
      await save({ origin: 'null' }),
      await save({ origin: '' }),
      await save({ 'sec-fetch-site': 'cross-site' }),
      await save({}, { form: '' }),
      await save({}, { form: `${visitor.formToken.slice(0, -1)}ü` }),
      await save({}, { form: 'A'.repeat(43) }),
      await save({ cookie: `${SESSION}=${visitor.cookies.get(SESSION)}` }),
    ];
    for (const { status, html } of attacks) {
      expect([status, html.includes('This form is out of date')]).toEqual([403, true]);
    }
    for (const path of ['link', 'sign-in', 'choose', 'sign-out']) {
      const answer = await visitor.post(`/partner/${path}`, {}, { origin: 'https://evil.example' });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(await saved()).toBe(before);
    expect(await isSignedIn()).toBe(true);
    expect((await save()).location).toBe('/partner?saved');
  });

  test('takes nothing but a small form', async () => {
    await visitor.signIn(email);
    expect((await save({}, { email: 'x'.repeat(9_000) })).status).toBe(413);
    expect((await save({ 'content-type': 'application/json' })).status).toBe(415);
  });

  test('saves payout details, sent twice as well as once; a change waits a day and says so', async () => {
    await visitor.signIn(email);
    await Promise.all([save(), save()]);
    const first = (await visitor.get('/partner')).html;
    expect(first).toContain('g•••@example.com');
    expect(first).not.toContain('these details are used from');
    const iban = 'GB33BUKB20201555555555';
    const bank = { holderName: 'Grace', country: 'GB', currency: 'GBP' };
    await save({}, { kind: 'iban', ...bank, iban });
    const changed = (await visitor.get('/partner')).html;
    expect(changed).toContain('GB•• •••• 5555');
    expect(changed).toContain('these details are used from');
    service.clock.advance(DAY_MS);
    await visitor.signIn(email);
    expect((await visitor.get('/partner/details')).html).not.toContain(
      'these details are used from',
    );
    const { body } = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: shop.project.workspaceId, limit: 100 },
    });
    const entries = body.data.filter(({ action }: { action: string }) => {
      return action === 'payout_details.save';
    });
    expect(entries).toMatchObject([
      { actorType: 'user', actorId: shop.partnerId, changes: { type: 'bank' } },
      { actorType: 'user', actorId: shop.partnerId, changes: { type: 'paypal' } },
    ]);
    expect(JSON.stringify(body)).not.toContain(iban);
    expect(service.log.join('\n')).not.toContain(iban);
  });

  test('with mistakes shows each at its field, keeps what was entered and saves nothing', async () => {
    await visitor.signIn(email);
    const before = await saved();
    const answer = await save(
      {},
      { kind: 'iban', holderName: '<b>Grace</b>', country: 'DE', iban: 'DE00' },
    );
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('id="iban-error"');
    expect(answer.html).toContain('id="currency-error"');
    expect(answer.html).not.toContain('id="country-error"');
    expect(answer.html).toContain('value="&lt;b&gt;Grace&lt;/b&gt;"');
    expect(answer.html).toContain('value="DE00"');
    expect(await saved()).toBe(before);
  });
});

describe('links', () => {
  const create = (name: string, program = shop.programId, headers: Record<string, string> = {}) =>
    visitor.post('/partner/links', { program, name }, headers);
  const slugs = async () => {
    const { data } = await shop.read(`/v1/participants/${shop.participantId}`);
    return data.links.map(({ slug }: { slug: string }) => slug);
  };
  const ownLink = async () => {
    const { data } = await shop.read(`/v1/participants/${shop.participantId}`);
    return data.links[0] as { id: string; slug: string; url: string };
  };

  test('can be copied, selected and scanned, and their QR codes saved', async () => {
    await visitor.signIn(email);
    const { id, slug, url } = await ownLink();
    const { html } = await visitor.get('/partner');
    expect(html).toContain(`tabindex="0">${url}</code>`);
    expect(html).toMatch(new RegExp(`hidden data-copy="${url}"`));
    expect(html).toContain(`role="img" aria-label="QR code of ${url}"`);
    expect(html).toContain(`href="/partner/links/${id}/qr.svg" download`);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const file = await fetch(`${service.url}/partner/links/${id}/qr.svg`, { headers: { cookie } });
    expect(file.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${slug}.svg"`);
    expect(await file.text()).toMatch(/^<svg [^>]+>.*<\/svg>$/);
    const other = await openAffiliateShop(service, await service.newProject(), 'o@example.com');
    const foreign = await other.read(`/v1/participants/${other.participantId}`);
    for (const unknown of [foreign.data.links[0].id, 'lnk_x']) {
      expect((await visitor.get(`/partner/links/${unknown}/qr.svg`)).status).toBe(404);
    }
    const stranger = await new Visitor(service).get(`/partner/links/${id}/qr.svg`);
    expect([stranger.status, stranger.location]).toEqual([303, '/partner']);
  });

  test('get names of the partner’s own, once however often the form is sent, and bring referrals', async () => {
    await visitor.signIn(email);
    const answers = await Promise.all([create(' Grace-Blog '), create('grace-blog')]);
    for (const { status, location } of answers) {
      expect([status, location]).toEqual([303, '/partner?link=grace-blog']);
    }
    expect((await create('grace-blog')).location).toBe('/partner?link=grace-blog');
    expect(await slugs()).toEqual([expect.any(String), 'grace-blog']);
    const { html } = await visitor.get('/partner?link=grace-blog');
    expect(html).toContain('Your new link is ready');
    expect((await visitor.get('/partner?link=other')).html).not.toContain('is ready');
    const followed = await fetch(`${service.url}/l/${shop.project.projectKey}/grace-blog`, {
      redirect: 'manual',
    });
    expect(followed.headers.get('location')).toMatch(/^https:\/\/example\.com\/\?/);
  });

  test('with a wrong or taken name are refused at the field, and the entry stays', async () => {
    await visitor.signIn(email);
    const before = await slugs();
    for (const bad of ['', 'ab', '-abc', 'a b c', 'ümlaut', '"><script>', 'x'.repeat(51)]) {
      const { status, html } = await create(bad);
      expect([bad, status]).toEqual([bad, 400]);
      expect(html).toContain('A name has 3 to 50 letters');
      expect(html).toContain('id="link-name-0-error"');
      expect(html).not.toContain('"><script>');
    }
    for (const taken of [shop.code, shop.code.toUpperCase()]) {
      const { status, html } = await create(taken);
      expect([status, html.includes('This name is taken.')]).toEqual([409, true]);
      expect(html).toContain(`value="${shop.code}"`);
    }
    expect(await slugs()).toEqual(before);
  });

  test('are at most ten in a program, and twenty names an hour', async () => {
    await visitor.signIn(email);
    for (let n = 2; n <= 10; n += 1) expect((await create(`grace-${n}`)).status).toBe(303);
    const { status, html } = await create('grace-11');
    expect([status, html.includes('You have 10 links, which is the maximum.')]).toEqual([
      409,
      true,
    ]);
    expect((await create('grace-10')).status).toBe(303);
    for (let n = 12; n <= 20; n += 1) expect((await create('grace-11')).status).toBe(409);
    expect((await create('grace-11')).status).toBe(429);
    expect(await slugs()).toHaveLength(10);
  });

  test('are not given to the suspended, in ended programs, in programs of others, to other sites', async () => {
    await visitor.signIn(email);
    const before = await slugs();
    const other = await openAffiliateShop(service, await service.newProject(), 'n@example.com');
    for (const program of [other.programId, '', 'prg_x']) {
      expect((await create('grace-blog', program)).status).toBe(404);
    }
    expect((await create('a-b-c', shop.programId, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    await suspend('suspend');
    expect((await visitor.get('/partner')).html).not.toContain('Create link');
    expect((await create('grace-blog')).status).toBe(409);
    await suspend('reinstate');
    await shop.post(`/v1/programs/${shop.programId}/status`, { status: 'ended' });
    expect((await visitor.get('/partner')).html).not.toContain('Create link');
    expect((await create('grace-blog')).status).toBe(409);
    expect(await slugs()).toEqual(before);
    await erase();
    expect((await create('grace-blog')).location).toBe('/partner');
  });
});

describe('a program', () => {
  const patch = (config: object) =>
    service.call('PATCH', `/v1/programs/${shop.programId}`, {
      as: shop.project.key,
      body: { projectId: shop.project.projectId, config },
    });

  test('says in words what it gives now, and not what it will give or gave', async () => {
    const { data: rules } = await shop.read(`/v1/programs/${shop.programId}/benefit-rules`);
    const terms = { benefitKind: 'cash', calculation: 'percentage', durationMode: 'forever' };
    const publish = (change: object) =>
      shop.post(`/v1/benefit-rules/${rules[0].id}/terms`, { terms: { ...terms, ...change } });
    await visitor.signIn(email);
    const shown = async () => (await visitor.get('/partner')).html;
    const first = 'You earn 10% of every purchase of the people you refer.';
    expect(await shown()).toContain(first);
    const effectiveAt = new Date(service.clock.nowMs() + HOUR_MS).toISOString();
    const next = await publish({ rateBps: 1_500, effectiveAt, maxRewardsPerBeneficiary: 100 });
    expect([next.status, next.body]).toMatchObject([200, {}]);
    expect(await shown()).toContain(first);
    service.clock.advance(HOUR_MS);
    const second = await shown();
    expect(second).toContain('You earn 15% of every purchase of the people you refer.');
    expect(second).toContain('You can earn it at most 100 times in all.');
    expect(second).not.toContain(first);
    await publish({ rateBps: 1_500, enabled: false });
    expect(await shown()).toContain('This program gives no rewards at the moment.');
  });

  test('terms that grow are told with their steps, and a bar leads to the next', async () => {
    const rules = (await shop.read(`/v1/programs/${shop.programId}/benefit-rules`)).data;
    const tiers = {
      measure: 'referrals',
      steps: [
        { from: '0', rateBps: 1_000 },
        { from: '2', rateBps: 2_000 },
      ],
    };
    const terms = {
      benefitKind: 'cash',
      calculation: 'percentage',
      durationMode: 'forever',
      tiers,
    };
    const published = await shop.post(`/v1/benefit-rules/${rules[0].id}/terms`, { terms });
    expect(published.status).toBe(200);
    await shop.signUp('bob');
    await visitor.signIn(email);
    const before = (await visitor.get('/partner')).html;
    expect(before).toContain('You earn 10%–20% of every purchase of the people you refer.');
    expect(before).toContain('10% at first and 20% from 2 on.');
    expect(before).toMatch(/<progress max="100" value="50" aria-label="Referrals: 1 of 2"/);
    await shop.signUp('eve');
    const after = (await visitor.get('/partner')).html;
    expect(after).toContain('Now: 20%');
    expect(after).not.toContain('<progress');
  });

  test('gives the page its name, colour and logo, and nothing else may be loaded', async () => {
    const logoUrl = 'https://cdn.example.com/logo;v,1.svg?size=2';
    await patch({
      brandConfig: { primaryColor: '#ffee00' },
      widgetConfig: { logoUrl, productName: 'Acme <Cloud>' },
    });
    await visitor.signIn(email);
    for (const path of ['', '/rewards', '/payouts', '/details']) {
      const { html, headers } = await visitor.get(`/partner${path}`);
      expect(html).toContain('Acme &lt;Cloud&gt;');
      expect(html).toContain(`src="${logoUrl}"`);
      // Yellow cannot be read on white.
      expect(html).toMatch(/:root \{ --accent: #(?!ffee00)[0-9a-f]{6}; --on-accent: #ffffff; \}/);
      expect(headers.get('content-security-policy')).toContain(
        "img-src https://cdn.example.com/logo%3Bv%2C1.svg; form-action 'self'",
      );
    }
  });

  test('of several has a brand of its own, below the Workspace’s name', async () => {
    const two = await openAffiliateShop(service, await newSibling(service, shop.project), email);
    await patch({ widgetConfig: { productName: 'Acme Cloud' } });
    await visitor.signIn(email);
    const { html } = await visitor.get('/partner');
    expect(html).toContain('<strong>Acme (test)</strong>');
    expect(html).toContain('<p class="soft">Acme Cloud</p>');
    for (const section of ['#program-0', '#program-1']) expect(html).toContain(`${section} { --`);
    for (const { linkUrl } of [shop, two]) expect(html).toContain(linkUrl);
  });
});

describe('the leaderboard', () => {
  /** Another partner of the same program, with so many referrals. */
  const join = async (name: string, referrals: number) => {
    const body = { programId: shop.programId, name, profileType: 'individual' };
    const address = `${name.replaceAll(' ', '.')}@example.com`.toLowerCase();
    const { data } = (await shop.post('/v1/partner-applications', { ...body, email: address }))
      .body;
    await service.sendMails();
    const token = mailer.linkTo(address).searchParams.get('token') ?? '';
    const url = `${service.url}/partner-applications/verify`;
    const page = await (await fetch(`${url}?token=${token}`)).text();
    const digest = /name="digest" value="([^"]*)"/.exec(page)?.[1] ?? '';
    await fetch(url, { method: 'POST', body: new URLSearchParams({ token, digest }) });
    const { participantId } = (await shop.post(`/v1/partner-applications/${data.id}/approve`)).body
      .data;
    const person = await shop.read(`/v1/participants/${participantId}`);
    const refCode = person.data.refCodes[0].code;
    const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
    for (let n = 0; n < referrals; n += 1) {
      const participant = { kind: 'individual', externalId: `${refCode}-${n}` };
      const signup = { sourceNamespaceId, type: 'signup', participant, refCode };
      expect((await shop.post('/v1/track/events', signup)).status).toBe(200);
    }
    return participantId as string;
  };
  const turn = (partnerLeaderboard: boolean) =>
    service.call('PATCH', `/v1/programs/${shop.programId}`, {
      as: shop.project.key,
      body: { projectId: shop.project.projectId, config: { partnerLeaderboard } },
    });

  test('is shown if the operator wants it and three take part, with masked names and no amounts', async () => {
    await shop.signUp('bob');
    await shop.buy('bob', 'order');
    await join('Ada Lovelace', 3);
    await visitor.signIn(email);
    const shown = async () => (await visitor.get('/partner')).html;
    await turn(true);
    expect(await shown()).not.toContain('Leaderboard');
    const alan = await join('Alan Turing', 2);
    await turn(false);
    expect(await shown()).not.toContain('Leaderboard');
    await turn(true);
    const board = /<table>.*<\/table>/s.exec(await shown())?.[0] ?? '';
    const cells = [...board.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) =>
      cell?.replaceAll(/<[^>]+>/g, ''),
    );
    expect(cells).toEqual(['1', 'A… L…', '3', '2', 'A… T…', '2', '3', 'You', '1']);
    expect(await shown()).not.toMatch(/Ada|Lovelace|Alan|Turing/);
    // An erased partner is gone at once, and with it the third.
    await service.call('DELETE', `/v1/participants/${alan}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId, force: true },
    });
    expect(await shown()).not.toContain('Leaderboard');
  });

  test('belongs to affiliate programs alone', async () => {
    const { body } = await shop.post('/v1/programs', { kind: 'referral', name: 'Friends' });
    const answer = await service.call('PATCH', `/v1/programs/${body.data.id}`, {
      as: shop.project.key,
      body: { projectId: shop.project.projectId, config: { partnerLeaderboard: true } },
    });
    expect([answer.status, answer.body.error.details[0].path]).toEqual([
      400,
      'config.partnerLeaderboard',
    ]);
  });
});

describe('the language', () => {
  test('is the reader’s, on every page and for every refusal, and a switch keeps another', async () => {
    visitor.headers = { 'accept-language': 'ar-EG, de;q=0.5' };
    const arabic = await visitor.get('/partner');
    expect(arabic.html).toContain('<html lang="ar" dir="rtl">');
    expect(arabic.html).toContain('href="/partner?lang=ja" lang="ja" hreflang="ja">日本語</a>');
    const switched = await visitor.get('/partner?lang=fr');
    expect(switched.html).toContain('<html lang="fr" dir="ltr">');
    expect(switched.headers.getSetCookie()).toContainEqual(
      '__Host-partner-language=fr; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect((await visitor.post('/partner/link', { email: 'x' })).html).toContain(
      'Ce n’est pas une adresse e-mail',
    );
    expect((await visitor.get('/partner/nothing')).html).toContain('Cette page n’existe pas');
    expect((await visitor.post('/partner/link', {}, { origin: 'null' })).html).toContain(
      'Ce formulaire n’est plus à jour',
    );
    await visitor.signIn(email);
    for (const [path, text] of [
      ['', 'Vos liens et codes'],
      ['/rewards', 'Vous n’avez pas encore de récompenses.'],
      ['/payouts', 'Vous n’avez pas encore de versements.'],
      ['/details', 'Nom du titulaire du compte'],
    ]) {
      expect((await visitor.get(`/partner${path}`)).html).toContain(text);
    }
    const mistake = await visitor.post('/partner/details', { kind: 'paypal', email: '' });
    expect(mistake.html).toContain('Veuillez remplir ce champ.');
    expect(mistake.html).toContain('href="/partner/details?lang=de"');
  });

  test('is not changed by what is no language', async () => {
    for (const lang of ['xx', '', 'toString', '%22%3E%3Cscript%3E']) {
      const { status, html, headers } = await visitor.get(`/partner?lang=${lang}`);
      expect([status, html.includes('<html lang="en"')]).toEqual([200, true]);
      expect(headers.getSetCookie().join()).not.toContain('partner-language');
      expect(html).not.toContain('<script>');
    }
    expect((await visitor.get('/partner?lang=de&lang=fr')).html).toContain('<html lang="en"');
  });
});

describe('applying', () => {
  const ada = { name: 'Ada Example', email: 'ada@example.com', profileType: 'individual' };
  const path = () => `/partner/apply/${shop.project.projectKey}/${shop.programId}`;
  const applications = async () =>
    (await shop.read('/v1/partner-applications', { programId: shop.programId })).data;
  const setOpen = (partnerApplicationsOpen: boolean) =>
    service.call('PATCH', `/v1/programs/${shop.programId}`, {
      as: shop.project.key,
      body: { projectId: shop.project.projectId, config: { partnerApplicationsOpen } },
    });

  test('needs no account: the form, a mail, and the application waits for the operator', async () => {
    const { status, html, headers } = await visitor.get(path());
    expect(status).toBe(200);
    expect(html).toContain('Become a partner of Acme');
    expect(html).toContain('You earn 10% of every purchase of the people you refer.');
    expect(html).not.toContain('<script');
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    const website = 'example.com/blog';
    const sent = await visitor.post(path(), { ...ada, website, message: '語'.repeat(2_000) });
    expect([sent.status, sent.location]).toEqual([303, `${path()}?sent`]);
    expect((await visitor.get(`${path()}?sent`)).html).toContain('Check your mailbox');
    await service.sendMails();
    expect(mailer.sent.map(({ to }) => to)).toEqual(['ada@example.com']);
    expect(visitor.link(ada.email).pathname).toBe('/partner-applications/verify');
    expect(await applications()).toContainEqual(
      expect.objectContaining({ ...ada, status: 'pending', website: `https://${website}` }),
    );
  });

  test('answers the same for every address, and a repeat makes one application', async () => {
    await visitor.get(path());
    const before = (await applications()).length;
    const shown = [];
    for (const address of [email, 'new@example.com', 'new@example.com']) {
      const { status, location, html } = await visitor.post(path(), { ...ada, email: address });
      shown.push([status, location, html]);
    }
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
    expect((await applications()).length).toBe(before + 2);
  });

  test('with mistakes shows each at its field and keeps what was entered', async () => {
    await visitor.get(path());
    const before = (await applications()).length;
    const wrong = { name: '<b>Ada</b>', email: 'ada', profileType: 'company', website: 'ftp://x' };
    const { status, html } = await visitor.post(path(), wrong);
    expect(status).toBe(400);
    expect(html).toContain('id="email-error"');
    expect(html).toContain('value="&lt;b&gt;Ada&lt;/b&gt;"');
    expect(html).toContain('<option value="company" selected>');
    const complete = { ...ada, profileType: 'company' };
    expect((await visitor.post(path(), complete)).html).toContain('id="companyName-error"');
    expect((await visitor.post(path(), ada, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await visitor.post(path(), { ...ada, message: 'x'.repeat(40_000) })).status).toBe(413);
    expect((await applications()).length).toBe(before);
  });

  test('is friendly where nobody can apply, also when it was closed meanwhile', async () => {
    await visitor.get(path());
    await setOpen(false);
    const late = await visitor.post(path(), ada);
    expect([late.status, late.html.includes('No applications at the moment')]).toEqual([409, true]);
    const { status, html } = await visitor.get(path());
    expect([status, html.includes('No applications at the moment')]).toEqual([200, true]);
    const { projectKey } = shop.project;
    const other = await openAffiliateShop(service, await service.newProject(), 'q@example.com');
    for (const unknown of [
      '/partner/apply/nothing',
      `/partner/apply/${projectKey}/prg_x`,
      `/partner/apply/${projectKey}/${other.programId}`,
    ]) {
      expect((await visitor.get(unknown)).status).toBe(404);
    }
    // By the Project's key alone, the first Program that takes applications.
    const alone = `/partner/apply/${other.project.projectKey}`;
    expect((await visitor.get(alone)).html).toContain(`action="${alone}"`);
    expect((await visitor.post(alone, ada)).location).toBe(`${alone}?sent`);
  });

  test('is limited per network, as the API is', async () => {
    const few = await startService({ mailer, settings: { applicationsPerMinute: 2 } });
    const there = await openAffiliateShop(few, await few.newProject(), 'w@example.com');
    const applicant = new Visitor(few);
    const form = `/partner/apply/${there.project.projectKey}`;
    await applicant.get(form);
    const answers = [];
    for (let n = 0; n < 3; n += 1) {
      const address = { ...ada, email: `${n}@example.com` };
      answers.push((await applicant.post(form, address)).status);
    }
    expect(answers).toEqual([303, 303, 429]);
    await few.close();
  });

  test('works without mail, and says who will send the link', async () => {
    const silent = await startService();
    const there = await openAffiliateShop(silent, await silent.newProject(), 'v@example.com');
    const applicant = new Visitor(silent);
    const form = `/partner/apply/${there.project.projectKey}`;
    await applicant.get(form);
    expect((await applicant.post(form, ada)).location).toBe(`${form}?sent`);
    const { html } = await applicant.get(`${form}?sent`);
    expect(html).toContain('Your application has arrived');
    await silent.close();
  });
});

describe('the page', () => {
  test('shows code, link, rewards, totals and nothing of whom they brought', async () => {
    await shop.signUp('referred-bob');
    await shop.buy('referred-bob', 'order-77', '123456');
    await shop.buy('referred-bob', 'order-78', '100000');
    await visitor.signIn(email);
    visitor.headers = { 'accept-language': 'de-DE' };
    const { html } = await visitor.get('/partner');
    const results = ['123,46', 'Offen', 'noch nichts auszahlen', '2.234,56'];
    for (const shown of [shop.code, shop.linkUrl, ...results]) {
      expect(html).toContain(shown);
    }
    const purchases = ['order-77', 'order-78', '1.234,56', '1.000,00'];
    for (const hidden of ['referred-bob', ...purchases, shop.participantId]) {
      expect(html).not.toContain(hidden);
    }
  });

  test('shows the results of a period, and those of another one as a part of the page', async () => {
    await shop.signUp('bob');
    await shop.buy('bob', 'order-1');
    service.clock.advance(40 * DAY_MS);
    await shop.signUp('cyd');
    await visitor.signIn(email);
    const totals = (html: string) =>
      [...html.matchAll(/<span>([^<]+)<\/span> <b>([^<]+)<\/b>/g)].map(([, ...one]) =>
        one.join(' '),
      );
    const month = (await visitor.get('/partner')).html;
    expect(totals(month)).toEqual(['Clicks 0', 'Referrals 1', 'Sales –', 'Earned –']);
    const { status, headers, html } = await visitor.get('/partner/results?days=90&metric=sales');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(totals(html)).toEqual(['Clicks 0', 'Referrals 2', 'Sales $200.00', 'Earned $20.00']);
    expect(html).not.toContain('<html');
    expect(html.match(/<g data-say/g)).toHaveLength(90);
    expect(html.match(/<tr><th scope="row">/g)).toHaveLength(90);
    const whole = (await visitor.get('/partner?days=90&metric=sales')).html;
    expect(whole).toContain(html);
    const year = (await visitor.get('/partner/results?days=365&metric=other')).html;
    expect(year.match(/<g data-say/g)?.length).toBeLessThan(55);
  });

  test('shows results to nobody else', async () => {
    const answer = await visitor.get('/partner/results');
    expect([answer.status, answer.location]).toEqual([303, '/partner']);
    await visitor.signIn(email);
    expect((await visitor.get('/partner/results')).status).toBe(200);
    await erase();
    expect((await visitor.get('/partner/results')).status).toBe(303);
  });

  test('pages through all rewards of all Projects, newest first, each once', async () => {
    const two = await openAffiliateShop(service, await newSibling(service, shop.project), email);
    const expected: string[] = [];
    for (const one of [shop, two]) await one.signUp('bob');
    for (let order = 1; order <= 32; order += 1) {
      service.clock.advance(HOUR_MS);
      await (order % 3 === 0 ? two : shop).buy('bob', `o${order}`, String(order * 1_000));
      expected.unshift(`$${order}.00`);
    }
    await visitor.signIn(email);
    const amounts = (html: string) => html.match(/\$[\d.,]+(?=<\/strong>)/g) ?? [];
    expect(amounts((await visitor.get('/partner')).html)).toEqual(expected.slice(0, 10));
    const first = (await visitor.get('/partner/rewards')).html;
    const next = /href="(\/partner\/rewards\?after=[^"]+)" rel="next"/.exec(first)?.[1] ?? '';
    const second = (await visitor.get(next)).html;
    expect([...amounts(first), ...amounts(second)]).toEqual(expected);
    expect(second).not.toContain('rel="next"');
    for (const after of ['', 'rubbish', 'x'.repeat(9_000), '%00']) {
      expect((await visitor.get(`/partner/rewards?after=${after}`)).status).toBe(400);
      expect((await visitor.get(`/partner/payouts?after=${after}`)).status).toBe(400);
    }
  });

  test('says that a Partner is suspended, and lets it in all the same', async () => {
    await shop.signUp('bob');
    await shop.buy('bob', 'order');
    await visitor.signIn(email);
    await suspend('suspend');
    for (const path of ['', '/rewards', '/payouts', '/details']) {
      expect((await visitor.get(`/partner${path}`)).html).toContain('You are suspended');
    }
    await suspend('reinstate');
    expect((await visitor.get('/partner')).html).not.toContain('suspended');
  });

  test('is not cached, framed, scripted by others or told to other sites', async () => {
    await visitor.signIn(email);
    const paths = ['', '/sent', '/sign-in?token=x', '/choose', '/rewards', '/payouts', '/details'];
    for (const path of paths) {
      const { headers, html } = await visitor.get(`/partner${path}`);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      // Only the overview has a script, which copies links and loads our own results, and no other can run.
      const script = path === '' ? "script-src 'sha256-[^']+'; connect-src 'self'; " : '';
      expect(headers.get('content-security-policy')).toMatch(
        new RegExp(
          `^default-src 'none'; style-src( 'sha256-[^']+'){1,2}; ${script}form-action 'self'; frame-ancestors 'none'; base-uri 'none'$`,
        ),
      );
      expect(html).not.toMatch(/ style="|javascript:| on\w+="/);
      expect(html.match(/<script/g) ?? []).toHaveLength(path === '' ? 1 : 0);
    }
  });

  test('escapes what people wrote', async () => {
    await rowsOf(`update partners set name = '<img src=x>' where id = $1`, [shop.partnerId]);
    await rowsOf(`update workspaces set name = '"><i>' where id = $1`, [shop.project.workspaceId]);
    await visitor.signIn(email);
    const { html } = await visitor.get('/partner');
    expect(html).toContain('&lt;img src=x&gt;');
    expect(html).not.toMatch(/<img|<i>/);
  });
});

test('spent and old links go after a day, sessions once they are over (D-RET-1)', async () => {
  await visitor.signIn(email);
  await ask(email, new Visitor(service));
  await service.sendMails();
  const purge = () =>
    purgeOnce({ ...service.dispatchDeps, auditRetentionDays: 9_999, attemptRetentionDays: 9_999 });
  const left = async () => [
    await countOf('partner_sign_in_links'),
    await countOf('partner_sessions'),
  ];
  while ((await purge()) > 0);
  expect(await left()).toEqual([2, 1]);
  service.clock.advance(12 * HOUR_MS);
  await purge();
  expect(await left()).toEqual([2, 1]);
  service.clock.advance(1);
  await purge();
  expect(await left()).toEqual([2, 0]);
  service.clock.advance(12 * HOUR_MS + 30 * MINUTE_MS);
  await purge();
  expect(await left()).toEqual([0, 0]);
});
