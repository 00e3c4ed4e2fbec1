import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noteFailedDetails } from '../../src/outbound/payouts/details/blame-details.ts';
import type { PayeeOnboarding } from '../../src/outbound/payouts/details/details.ts';
import { findPayoutDetails } from '../../src/outbound/payouts/details/payee-details.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { ROOT_KEY, startService, type TestProject, type TestService } from '../harness.ts';
import { readDatabase } from '../read-database.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const PATH = '/v1/widget/payout-details';
const NOTHING = {
  configured: false,
  type: null,
  label: null,
  country: null,
  currency: null,
  status: null,
  updatedAt: null,
  onboardingUrl: null,
};
const GB_IBAN = 'GB29NWBK60161331926819';
const DE_IBAN = 'DE89370400440532013000';
const british = {
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'GB',
  currency: 'GBP',
  iban: 'gb29 nwbk 6016 1331 9268 19',
};
const german = {
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'DE',
  currency: 'EUR',
  iban: DE_IBAN,
};
const paypal = { type: 'paypal', email: 'ada.lovelace@example.com' };

let connected = false;
/** A provider that gives each payee one account. */
const onboarding: PayeeOnboarding = {
  isConnected: async () => connected,
  begin: async (project, participantId) => ({
    accountId: `acct_${participantId.slice(-12)}`,
    onboardingUrl: `https://connect.example.com/${project.id}`,
    isReady: true,
  }),
  resume: async () => null,
};

const keyring = createKeyring(ROOT_KEY);
let service: TestService;
let project: TestProject;
let sign: ReturnType<typeof makeSigner>;
beforeAll(async () => {
  service = await startService({ payeeOnboarding: onboarding });
});
beforeEach(async () => {
  connected = false;
  project = await service.newProject();
  const { secret } = await newWidgetSecret(service, project);
  sign = makeSigner(service, project, secret);
});
afterAll(() => service.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const as = async (sub: string) => bearer(await sign({ claims: { sub } }));
const show = async (sub = 'ada') =>
  service.call('GET', PATH, {
    query: { projectId: project.projectId },
    headers: await as(sub),
  });
const put = async (details: object, sub = 'ada', headers: Record<string, string> = {}) =>
  service.call('PUT', PATH, {
    body: { projectId: project.projectId, details },
    headers: { ...(await as(sub)), ...headers },
  });
async function save(details: object, sub = 'ada') {
  const answer = await put(details, sub);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
}
const listParticipants = async () => {
  const query = { projectId: project.projectId };
  return (await service.call('GET', '/v1/participants', { as: project.key, query })).body.data;
};
async function idOf(externalId: string): Promise<string> {
  const all: { id: string; externalId: string }[] = await listParticipants();
  return all.find((one) => one.externalId === externalId)?.id ?? '';
}
/** Where the payouts of somebody go at the Project's time. */
async function paidTo(externalId = 'ada', now = service.clock.now) {
  const id = await idOf(externalId);
  const found = await findPayoutDetails(
    service.database.reads,
    project.projectId,
    [id, 'par_nobody'],
    { keyring, now },
  );
  return found.get(id);
}
const rows = () =>
  service.database.reads.query<Record<string, string>>(
    'select * from payout_details where project_id = $1 order by used_from',
    [project.projectId],
  );

describe('saving where one is paid (D-WID-1, D-PAY-6)', () => {
  test('shows it masked, at once in use, and reads back the same', async () => {
    const answer = await put(british);
    const shown = {
      configured: true,
      type: 'bank',
      label: 'GB•• •••• 6819',
      country: 'GB',
      currency: 'GBP',
      status: 'active',
      updatedAt: service.clock.now,
      onboardingUrl: null,
    };
    expect([answer.status, answer.body]).toEqual([200, shown]);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const read = await show();
    expect([read.status, read.body]).toEqual([200, shown]);
    expect(read.headers.get('cache-control')).toBe('private, no-store');
    expect((await paidTo())?.open()).toEqual({
      type: 'bank',
      holderName: 'Ada Lovelace',
      country: 'GB',
      currency: 'GBP',
      iban: GB_IBAN,
      bic: null,
    });
  });

  test('makes a participant whom the Project did not have, once; reading makes nobody', async () => {
    expect((await show()).body).toEqual(NOTHING);
    expect(await listParticipants()).toEqual([]);
    await save(paypal);
    await save(paypal);
    expect(await listParticipants()).toMatchObject([{ kind: 'individual', externalId: 'ada' }]);
    const feed = await service.call('GET', '/v1/webhook-events', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(feed.body.events.map((event: { type: string }) => event.type)).toEqual([
      'participant.created',
    ]);
  });

  test('is for the participant of the token: kinds are told apart, and so are Projects', async () => {
    await save(paypal);
    const group = await sign({ claims: { participantKind: 'group' } });
    const query = { projectId: project.projectId };
    const read = await service.call('GET', PATH, { query, headers: bearer(group) });
    expect(read.body).toEqual(NOTHING);
    expect((await show('bob')).body).toEqual(NOTHING);
  });

  test.each<[string, object, object]>([
    ['PayPal', paypal, { label: 'a•••@example.com', country: null, currency: null }],
    ['Wise', { type: 'wise', email: 'B@example.org' }, { label: 'B•••@example.org' }],
    [
      'an American account',
      {
        type: 'bank',
        holderName: 'Ada',
        country: 'us',
        currency: 'usd',
        accountNumber: '000123456789',
        routingCode: '021000021',
      },
      { label: '•••• 6789', country: 'US', currency: 'USD' },
    ],
    [
      'a British account',
      {
        type: 'bank',
        holderName: 'Ada',
        country: 'GB',
        currency: 'GBP',
        accountNumber: '3192 6819',
        routingCode: '60-16-13',
      },
      { label: '•••• 6819' },
    ],
    ['an IBAN with a BIC', { ...german, bic: 'cobadeff' }, { label: 'DE•• •••• 3000' }],
  ])('takes %s', async (_name, details, shown) => {
    expect(await save(details)).toMatchObject({ configured: true, status: 'active', ...shown });
  });

  test('is a note in the audit log, without what was saved and without an address', async () => {
    await save(british);
    await save(british);
    const { body } = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId, projectId: project.projectId },
    });
    const noted = body.data.filter((one: { action: string }) => one.action.startsWith('payout_'));
    expect(noted).toMatchObject([
      {
        action: 'payout_details.save',
        actorType: 'system',
        actorId: 'widget',
        targetType: 'participant',
        targetId: await idOf('ada'),
        ip: null,
        changes: { type: 'bank' },
      },
    ]);
  });
});

describe('what was saved', () => {
  test('stands nowhere in clear: not in the database, the log, answers or refusals', async () => {
    const key = { 'idempotency-key': 'again' };
    const answers = [
      await put(british, 'ada', key),
      await put(british, 'ada', key),
      await put({ ...german, holderName: 'Grace Hopper' }, 'ada', key),
      await put({ ...paypal, iban: GB_IBAN }),
      await put({ ...german, iban: 'DE89370400440532013001' }),
      await put(paypal, 'bob'),
      await show(),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 200, 200]);
    const shown = answers.map(({ body }) => JSON.stringify(body));
    const everything = [await readDatabase(service), ...service.log, ...shown].join('\n');
    expect(everything).toContain('a•••@example.com');
    for (const secret of [
      GB_IBAN,
      DE_IBAN,
      'gb29 nwbk',
      '60161331926819',
      '370400440532013',
      'Grace Hopper',
      'Ada Lovelace',
      'ada.lovelace@',
    ]) {
      expect(everything.toLowerCase()).not.toContain(secret.toLowerCase());
      const encoded = Buffer.from(secret).toString('base64').slice(0, -4);
      expect(everything).not.toContain(encoded);
    }
  });

  test('is sealed for its owner and record: moved to another it cannot be read', async () => {
    await save(british);
    await save(paypal, 'bob');
    await service.database.transaction(async (tx) => {
      await tx.query(
        `update payout_details d set sealed = o.sealed, wrapped_key = o.wrapped_key
         from payout_details o where d.project_id = $1 and o.project_id = $1 and o.owner_id <> d.owner_id`,
        [project.projectId],
      );
    });
    const found = await paidTo('bob');
    expect(() => found?.open()).toThrow();
  });
});

describe('a change', () => {
  const labels = async () => [(await show()).body.status, (await paidTo())?.label];

  test('is used 24 hours later and not a moment earlier; until then what was there before', async () => {
    await save(british);
    service.clock.advance(HOUR_MS);
    expect(await save(german)).toMatchObject({
      label: 'DE•• •••• 3000',
      status: 'cooling_down',
      updatedAt: service.clock.now,
    });
    service.clock.advance(DAY_MS - 1);
    expect(await labels()).toEqual(['cooling_down', 'GB•• •••• 6819']);
    service.clock.advance(1);
    expect(await labels()).toEqual(['active', 'DE•• •••• 3000']);
  });

  test('goes by the Project’s clock', async () => {
    await save(british);
    await save(german);
    const now = new Date(service.clock.nowMs() + DAY_MS).toISOString();
    await service.call('PUT', `/v1/projects/${project.projectId}/clock`, {
      as: project.key,
      body: { now },
    });
    expect((await show()).body).toMatchObject({ status: 'active', label: 'DE•• •••• 3000' });
    expect((await paidTo('ada', now))?.label).toBe('DE•• •••• 3000');
    // The next one waits from the moved clock on.
    await save(paypal);
    expect((await rows()).at(-1)).toMatchObject({
      used_from: new Date(Date.parse(now) + DAY_MS).toISOString(),
    });
  });

  test('is replaced by a newer one, which waits its own 24 hours', async () => {
    await save(british);
    await save(german);
    service.clock.advance(DAY_MS - 1);
    await save(paypal);
    service.clock.advance(DAY_MS - 1);
    expect(await labels()).toEqual(['cooling_down', 'GB•• •••• 6819']);
    service.clock.advance(1);
    expect(await labels()).toEqual(['active', 'a•••@example.com']);
  });

  test('that is sent again does not wait longer', async () => {
    await save(british);
    await save(german);
    service.clock.advance(DAY_MS - 1);
    const again = await save({ ...german, iban: 'de89 3704 0044 0532 0130 00' });
    expect(again.status).toBe('cooling_down');
    service.clock.advance(1);
    expect(await labels()).toEqual(['active', 'DE•• •••• 3000']);
  });

  test('is called off by saving what is in use', async () => {
    await save(british);
    await save(german);
    service.clock.advance(HOUR_MS);
    expect(await save(british)).toMatchObject({ status: 'active', label: 'GB•• •••• 6819' });
    service.clock.advance(2 * DAY_MS);
    expect(await labels()).toEqual(['active', 'GB•• •••• 6819']);
    expect(await rows()).toHaveLength(1);
  });

  test('leaves nothing of what was there before, an hour after it is used', async () => {
    await save(british);
    await save(german);
    const purge = () =>
      purgeOnce({
        database: service.database,
        clock: service.clock,
        auditRetentionDays: 36_500,
        attemptRetentionDays: 36_500,
      });
    const left = async () => (await rows()).map(({ label }) => label);
    service.clock.advance(DAY_MS + HOUR_MS - 1);
    await purge();
    expect(await left()).toEqual(['GB•• •••• 6819', 'DE•• •••• 3000']);
    service.clock.advance(1);
    await purge();
    expect(await left()).toEqual(['DE•• •••• 3000']);
    expect(await labels()).toEqual(['active', 'DE•• •••• 3000']);
  });

  test('many at once leave one in use and one that waits', async () => {
    await save(british);
    const many = Array.from({ length: 10 }, (_, n) => ({
      type: 'wise',
      email: `ada${n}@example.com`,
    }));
    const answers = await Promise.all(many.map((details) => put(details)));
    expect(answers.map(({ status }) => status)).toEqual(many.map(() => 200));
    expect(await rows()).toHaveLength(2);
    expect(await labels()).toEqual(['cooling_down', 'GB•• •••• 6819']);
  });

  test('two first saves at once: one is used, the other waits', async () => {
    await Promise.all([put(british), put(german)]);
    expect(await rows()).toMatchObject([{ used_from: service.clock.now }, { used_until: null }]);
    expect(await rows()).toHaveLength(2);
  });
});

describe('details to which a payout failed', () => {
  const fail = async () => {
    const found = await paidTo();
    if (!found) throw new Error('There are none.');
    await service.database.transaction(async (tx) =>
      noteFailedDetails(tx, found, service.clock.now),
    );
  };

  test('need an update, and nothing is paid to them until it is used', async () => {
    await save(british);
    await fail();
    expect((await show()).body).toMatchObject({ status: 'needs_update', label: 'GB•• •••• 6819' });
    expect((await paidTo())?.status).toBe('needs_update');
    expect((await save(german)).status).toBe('cooling_down');
    expect((await paidTo())?.status).toBe('needs_update');
    service.clock.advance(DAY_MS);
    expect(await paidTo()).toMatchObject({ status: 'active', label: 'DE•• •••• 3000' });
  });

  test('are good again once their owner says so by saving the same', async () => {
    await save(british);
    await fail();
    expect((await save(british)).status).toBe('active');
    expect((await paidTo())?.status).toBe('active');
  });
});

describe('somebody who is erased (D-PART-5)', () => {
  test('leaves no details, reads nothing and saves nothing more', async () => {
    await save(british);
    await save(german);
    const id = await idOf('ada');
    const erased = await service.call('DELETE', `/v1/participants/${id}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(erased.status).toBe(200);
    expect(await rows()).toEqual([]);
    expect((await show()).body).toEqual(NOTHING);
    for (const sub of ['ada', `deleted_${id}`]) {
      const refused = await put(paypal, sub);
      expect([refused.status, refused.body.error.reason]).toEqual([409, 'participant_deleted']);
    }
    expect((await show(`deleted_${id}`)).body).toEqual(NOTHING);
    expect(await rows()).toEqual([]);
  });

  test('leaves the details of others', async () => {
    await save(british);
    await save(paypal, 'bob');
    const query = { projectId: project.projectId };
    await service.call('DELETE', `/v1/participants/${await idOf('ada')}`, {
      as: project.key,
      query,
    });
    expect((await show('bob')).body).toMatchObject({ configured: true, type: 'paypal' });
  });
});

describe('an account at Stripe', () => {
  test('is refused while the Project is not connected, and nobody is made', async () => {
    const answer = await put({ type: 'stripe_connect' });
    expect([answer.status, answer.body.error.details]).toEqual([
      400,
      [
        {
          path: 'details.type',
          issue: 'cannot be stripe_connect, because no Stripe account to pay from is connected',
        },
      ],
    ]);
    expect(await listParticipants()).toEqual([]);
  });

  test('is offered by the Widget only where the Project is connected', async () => {
    const post = (path: string, body: object) =>
      service.call('POST', path, {
        as: project.key,
        body: { projectId: project.projectId, ...body },
      });
    const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
    const program = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
    await post(`/v1/programs/${program.body.data.id}/status`, { status: 'active' });
    const offered = async () => {
      const { body } = await service.call('POST', '/v1/widget/init', {
        body: { projectId: project.projectId },
        headers: await as('ada'),
      });
      return body.payout.types;
    };
    expect(await offered()).toEqual(['paypal', 'wise', 'bank']);
    connected = true;
    expect(await offered()).toEqual(['paypal', 'wise', 'bank', 'stripe_connect']);
  });

  test('leads to where it is finished, each time anew, and is one account', async () => {
    connected = true;
    const first = await save({ type: 'stripe_connect' });
    const url = `https://connect.example.com/${project.projectId}`;
    expect(first).toMatchObject({ type: 'stripe_connect', status: 'active', onboardingUrl: url });
    expect(await save({ type: 'stripe_connect' })).toEqual(first);
    expect((await show()).body).toEqual({ ...first, onboardingUrl: null });
    expect((await paidTo())?.open()).toEqual({
      type: 'stripe_connect',
      accountId: `acct_${(await idOf('ada')).slice(-12)}`,
    });
    expect(await rows()).toHaveLength(1);
  });
});

describe('details that cannot be right are 400, and nothing is saved (bad input)', () => {
  const account = {
    type: 'bank',
    holderName: 'Ada',
    country: 'US',
    currency: 'USD',
    accountNumber: '123456789',
    routingCode: '021000021',
  };
  test.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['details']],
    ['null', null, ['details']],
    ['a text', 'GB29', ['details']],
    ['no type', {}, ['details.type']],
    ['an unknown type', { type: 'cash' }, ['details.type']],
    ['an unknown field', { ...paypal, name: 'x' }, ['details.name']],
    ['PayPal without an address', { type: 'paypal' }, ['details.email']],
    ['PayPal with null', { type: 'paypal', email: null }, ['details.email']],
    ['an address without a dot', { type: 'wise', email: 'ada@localhost' }, ['details.email']],
    ['two addresses', { type: 'wise', email: 'a@example.com,b@example.com' }, ['details.email']],
    ['a line break in an address', { type: 'wise', email: 'a@example.com\n' }, ['details.email']],
    ['a bank account of PayPal', { ...paypal, iban: GB_IBAN }, ['details.iban']],
    ['an address of a bank', { ...british, email: 'a@example.com' }, ['details.email']],
    [
      'a bank alone',
      { type: 'bank' },
      ['details.holderName', 'details.country', 'details.currency', 'details.iban'],
    ],
    ['a blank holder', { ...british, holderName: '  ' }, ['details.holderName']],
    ['a holder in two lines', { ...british, holderName: 'A\nB' }, ['details.holderName']],
    ['a long holder', { ...british, holderName: 'x'.repeat(141) }, ['details.holderName']],
    ['NUL in a holder', { ...british, holderName: 'A\0B' }, ['details.holderName']],
    ['a country that is none', { ...british, country: 'ZZ' }, ['details.country']],
    ['a country’s name', { ...british, country: 'Germany' }, ['details.country']],
    ['a currency that is none', { ...british, currency: 'ABC' }, ['details.currency']],
    ['gold', { ...british, currency: 'XAU' }, ['details.currency']],
    ['a wrong check digit', { ...british, iban: 'GB28NWBK60161331926819' }, ['details.iban']],
    ['an IBAN too short', { ...german, iban: DE_IBAN.slice(0, -1) }, ['details.iban']],
    ['an IBAN too long', { ...german, iban: `${DE_IBAN}0` }, ['details.iban']],
    ['an IBAN of nowhere', { ...german, iban: 'ZZ89370400440532013000' }, ['details.iban']],
    ['an IBAN of another country', { ...german, country: 'AT' }, ['details.iban']],
    ['an IBAN of signs', { ...german, iban: '<script>' }, ['details.iban']],
    ['a BIC that is none', { ...german, bic: 'COBA' }, ['details.bic']],
    ['an IBAN and an account', { ...account, iban: GB_IBAN }, ['details.iban']],
    ['a BIC without an IBAN', { ...account, bic: 'CHASUS33' }, ['details.bic']],
    ['no routing code', { ...account, routingCode: null }, ['details.routingCode']],
    ['no account number', { ...account, accountNumber: undefined }, ['details.accountNumber']],
    ['a wrong ABA number', { ...account, routingCode: '021000022' }, ['details.routingCode']],
    ['letters for digits', { ...account, accountNumber: '12345678O' }, ['details.accountNumber']],
    [
      'a German account without its IBAN',
      { ...account, country: 'DE', currency: 'EUR' },
      ['details.iban'],
    ],
    [
      'a field of another type',
      { type: 'stripe_connect', email: 'a@example.com' },
      ['details.email'],
    ],
  ])('%s', async (_name, details, paths) => {
    const answer = await put(details as object);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body.error.details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(await listParticipants()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('an unknown field beside the details', async () => {
    const body = { projectId: project.projectId, details: paypal, participant: 'bob' };
    const answer = await service.call('PUT', PATH, { body, headers: await as('ada') });
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'participant']);
  });
});
