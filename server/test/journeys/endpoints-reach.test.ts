import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NOT_PUBLIC } from '../../src/outbound/webhooks/sender/address-rules.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';
import { type Catcher, catchWebhooks } from '../webhook-catcher.ts';

const PUBLIC = '93.184.216.34';
/** What names mean at the moment; a name that is not here has no address. */
const names = new Map<string, string[]>();
/** Look-ups wait for it. */
let answered: Promise<void> = Promise.resolve();

let service: TestService;
let project: TestProject;
let catcher: Catcher;
beforeAll(async () => {
  catcher = await catchWebhooks();
  service = await startService({
    lookup: async (name) => {
      await answered;
      const addresses = names.get(name);
      if (!addresses) throw Object.assign(new Error(`${name}: 10.0.0.53`), { code: 'ENOTFOUND' });
      return addresses;
    },
  });
});
afterAll(async () => {
  await service.close();
  await catcher.close();
});
beforeEach(async () => {
  project = await service.newProject();
  names.clear();
  names.set('public.example', [PUBLIC, '2606:2800:220:1::1']);
});

const PATH = '/v1/webhook-endpoints';
const call = (method: 'POST' | 'PATCH', path: string, body: object, headers = {}) =>
  service.call(method, path, {
    as: project.key,
    headers,
    body: { projectId: project.projectId, ...body },
  });
const create = (url: string, headers = {}) => call('POST', PATH, { url }, headers);
const list = async () =>
  (await service.call('GET', PATH, { as: project.key, query: { projectId: project.projectId } }))
    .body.endpoints;

describe('a URL is refused (D-WH-1, section 17)', () => {
  test.each([
    // The same address in every notation that the URL standard knows.
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0xa9.0xfe.0xa9.0xfe/',
    'https://0251.0376.0251.0376/',
    'https://169.254.43518/',
    'https://169.16689662/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:a9fe:a9fe::]/',
    // Full-width digits become plain ones.
    'https://１６９.254.169.254/',
    'https://10.0.0.1/',
    'https://172.16.0.1:8443/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://0/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    // The exception is for 127.0.0.0/8, not for what is mapped to it.
    'https://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
  ])('%s, an address that is not public', async (url) => {
    const { status, body } = await create(url);
    expect([status, body.error.reason]).toEqual([400, 'address_refused']);
    expect(body.error.details).toEqual([{ path: 'url', issue: NOT_PUBLIC }]);
    expect(body.error.message).toContain('WEBHOOK_ALLOWED_CIDRS');
    expect(await list()).toEqual([]);
  });

  test.each([`http://${PUBLIC}/`, 'http://public.example/'])(
    '%s, since only https goes to public addresses',
    async (url) => {
      const { status, body } = await create(url);
      expect([status, body.error.details]).toEqual([
        400,
        [{ path: 'url', issue: 'The URL must begin with https://.' }],
      ]);
    },
  );

  test.each([
    ['a user', 'https://user@public.example/'],
    ['a user and a password', 'https://user:pass@public.example/'],
    ['an empty user and a password', 'https://:pass@public.example/'],
    ['another scheme', 'ftp://public.example/'],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', 'public.example/hook'],
    ['a space', 'https://public.example/a b'],
    ['a line break', 'https://public.example/\nx'],
    ['a dot at the end of its host', 'https://public.example./'],
    ['port 0', 'https://public.example:0/'],
    ['port 65536', 'https://public.example:65536/'],
    ['an octet too large', 'https://256.1.1.1/'],
    ['no host', 'https:///'],
  ])('with %s', async (_what, url) => {
    const { status, body } = await create(url);
    expect([status, body.error.reason]).toEqual([400, 'invalid_url']);
    expect(body.error.details).toEqual([{ path: 'url', issue: expect.stringMatching(/\S/) }]);
  });

  test('with more than 2,048 characters, and taken with as many', async () => {
    const base = 'https://public.example/';
    const ofLength = (length: number) => base.padEnd(length, 'x');
    const long = await create(ofLength(2_049));
    expect([long.status, long.body.error.details[0].path]).toEqual([400, 'url']);
    expect((await create(ofLength(2_048))).status).toBe(200);
    // Each of these letters is sent as nine characters.
    expect((await create(base + '語'.repeat(300))).status).toBe(400);
  });

  test.each([
    ['one address of several is private', ['93.184.216.34', '10.0.0.1'], 'https://it.example/'],
    ['one is this machine’s in IPv6', ['93.184.216.34', '::1'], 'https://it.example/'],
    ['it is http and one address is public', ['127.0.0.1', PUBLIC], 'http://it.example/'],
  ])('when %s; no address is told', async (_what, addresses, url) => {
    names.set('it.example', addresses);
    const { status, body } = await create(url);
    expect([status, body.error.reason]).toEqual([400, 'address_refused']);
    expect(JSON.stringify(body)).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
  });

  test('when its name has no address; the resolver’s own words are not told', async () => {
    names.set('empty.example', []);
    for (const url of ['https://gone.example/', 'https://empty.example/']) {
      const { status, body } = await create(url);
      expect([status, body.error.reason]).toEqual([400, 'name_not_resolved']);
      expect(JSON.stringify(body)).not.toContain('10.0.0.53');
    }
  });
});

describe('a URL is taken', () => {
  test.each([
    'https://public.example/',
    'https://PUBLIC.example:8443/a?b=c#d',
    `https://${PUBLIC}/`,
    'https://[2606:2800:220:1::1]/',
    // Inside the exception.
    'http://127.0.0.1:9/',
    'https://127.1/',
    'http://2130706433:9/',
  ])('%s, and shown as it was given', async (url) => {
    const { status, body } = await create(url);
    expect([status, body.endpoint.url]).toEqual([200, url]);
  });
});

test('names are looked up before the transaction: meanwhile the Project goes on', async () => {
  let answer = () => {};
  answered = new Promise((resolve) => {
    answer = resolve;
  });
  const creating = create('https://public.example/');
  const participant = { kind: 'individual', externalId: 'ada' };
  const meanwhile = await service.call('PUT', '/v1/participants', {
    as: project.key,
    body: { projectId: project.projectId, participant },
  });
  expect(meanwhile.status).toBe(200);
  answer();
  expect((await creating).status).toBe(200);
});

test('a repeat with its Idempotency-Key gets its answer, though the name is gone by now', async () => {
  const headers = { 'idempotency-key': 'once' };
  const made = await create('https://public.example/');
  const path = `${PATH}/${made.body.endpoint.id}`;
  const patch = (url: string) => call('PATCH', path, { url }, headers);
  const changed = await patch('https://public.example/b');
  names.clear();
  expect((await patch('https://public.example/b')).body).toEqual(changed.body);
  const other = await patch('https://public.example/c');
  expect([other.status, other.body.error.reason]).toEqual([409, 'idempotency_key_reused']);
});

test('a name that means another address later is judged again when it is called', async () => {
  names.set('moving.example', ['127.0.0.1']);
  const { port } = new URL(catcher.url);
  const { body } = await create(`http://moving.example:${port}/hook`);
  const send = async () =>
    (await call('POST', `${PATH}/${body.endpoint.id}/test`, { type: 'reward.earned' })).body;
  names.set('moving.example', ['127.0.0.1', '169.254.169.254']);
  expect(await send()).toMatchObject({
    delivered: false,
    responseStatus: null,
    failure: { reason: 'address_refused' },
  });
  expect(catcher.caught).toEqual([]);
  names.set('moving.example', ['127.0.0.1']);
  expect(await send()).toMatchObject({ delivered: true, responseStatus: 200 });
  expect(catcher.caught).toHaveLength(1);
});
