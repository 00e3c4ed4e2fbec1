import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeSecret, signatureHeaders } from '../../src/outbound/webhooks/sender/sign.ts';
import { MINUTE_MS, toInstant } from '../../src/platform/kit/instant.ts';
import { type Child, type Env, killAll, launchReceiver } from '../process.ts';
import { type Receiver, receiveHttp } from '../receiver.ts';

const SECRET = makeSecret(randomBytes(32));
const PROJECT = 'prj_01ka3m';

let folder: string;
let ledger: string;
let receiver: Child;
let address: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goodword-receiver-'));
  ledger = join(folder, 'ledger.jsonl');
  await startReceiver();
});
afterEach(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

const settings = (more: Env = {}): Env => ({ WEBHOOK_SECRET: SECRET, LEDGER: ledger, ...more });

async function startReceiver(more: Env = {}): Promise<void> {
  receiver = launchReceiver(settings(more));
  address = await receiver.ready;
}

interface Sent {
  readonly signedAt?: number;
  readonly secrets?: readonly string[];
  /** Sent in place of what was signed. */
  readonly forged?: string;
}

const send = async (event: object | string, options?: Sent): Promise<number> =>
  (await deliver(event, options)).status;

async function deliver(event: object | string, options: Sent = {}): Promise<Response> {
  const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
  const headers = signatureHeaders({
    id: typeof event === 'string' ? 'wev_text' : (event as { id: string }).id,
    signedAt: toInstant(options.signedAt ?? Date.now()),
    body,
    secrets: options.secrets ?? [SECRET],
  });
  return post(options.forged ?? body, headers);
}

async function post(
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await fetch(address, { method: 'POST', body, headers });
  await response.text();
  return response;
}

const reward = (id: string, more: object = {}) => ({
  id,
  benefitKind: 'credit',
  beneficiary: { participantId: 'par_1', kind: 'individual', externalId: '42' },
  money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
  discount: null,
  custom: null,
  delivery: { method: 'operator' },
  ...more,
});
const event = (id: string, type: string, about: object) => ({
  id,
  type,
  apiVersion: '2026-10-04',
  occurredAt: '2026-11-15T09:30:00.000Z',
  projectId: PROJECT,
  environment: 'live',
  data: { reward: about },
});
const earned = (rewardId: string, more: object = {}, id = `wev_earned_${rewardId}`) =>
  event(id, 'reward.earned', reward(rewardId, more));
const voided = (rewardId: string) =>
  event(`wev_voided_${rewardId}`, 'reward.voided', reward(rewardId));

interface Entry {
  readonly kind: string;
  readonly rewardId?: string;
  readonly eventId?: string;
}
const entries = async (): Promise<Entry[]> =>
  (await readFile(ledger, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const kinds = async (rewardId: string) =>
  (await entries()).filter((entry) => entry.rewardId === rewardId).map(({ kind }) => kind);

describe('a request', () => {
  test('signed by Goodword is taken, and a Reward is granted before that is answered', async () => {
    expect(await send(earned('rwd_1'))).toBe(200);
    expect(await entries()).toMatchObject([
      {
        kind: 'granted',
        rewardId: 'rwd_1',
        eventId: 'wev_earned_rwd_1',
        to: '42',
        what: { amountMinor: '1000' },
      },
    ]);
  });

  test('signed with two secrets, as after a rotation, is taken', async () => {
    expect(await send(earned('rwd_1'), { secrets: [makeSecret(randomBytes(32)), SECRET] })).toBe(
      200,
    );
  });

  test('that was changed, signed by others, long ago or not at all is refused unread with 401', async () => {
    const good = earned('rwd_1');
    const other = JSON.stringify(earned('rwd_2'));
    expect(await send(good, { forged: other })).toBe(401);
    expect(await send(good, { forged: '{"not": json' })).toBe(401);
    expect(await send(good, { secrets: [makeSecret(randomBytes(32))] })).toBe(401);
    expect(await send(good, { signedAt: Date.now() - 6 * MINUTE_MS })).toBe(401);
    expect(await send(good, { signedAt: Date.now() + 6 * MINUTE_MS })).toBe(401);
    expect((await post(JSON.stringify(good))).status).toBe(401);
    expect(await entries()).toEqual([]);
  });

  test('that is not what it takes is refused', async () => {
    expect(await send('{"not": json')).toBe(400);
    expect((await post('x'.repeat(300_000))).status).toBe(413);
    expect((await fetch(address)).status).toBe(405);
    expect((await fetch(new URL('/elsewhere', address), { method: 'POST' })).status).toBe(404);
    expect(await send(earned('rwd_1'))).toBe(200);
  });
});

describe('a Reward is granted once', () => {
  test('however often its event comes, and under whatever event id', async () => {
    for (let n = 0; n < 3; n += 1) expect(await send(earned('rwd_1'))).toBe(200);
    expect(await send(earned('rwd_1', {}, 'wev_another'))).toBe(200);
    expect(await kinds('rwd_1')).toEqual(['granted']);
  });

  test('of repeats at the same moment', async () => {
    const repeats = Array.from({ length: 20 }, (_, n) => send(earned(`rwd_${n % 2}`)));
    expect(await Promise.all(repeats)).toEqual(repeats.map(() => 200));
    expect(await kinds('rwd_0')).toEqual(['granted']);
    expect(await kinds('rwd_1')).toEqual(['granted']);
  });

  test('of a repeat after it was killed', async () => {
    expect(await send(earned('rwd_1'))).toBe(200);
    await receiver.kill('SIGKILL');
    await startReceiver();
    expect(await send(earned('rwd_1'))).toBe(200);
    expect(await kinds('rwd_1')).toEqual(['granted']);
  });

  test('of a repeat after it was killed while writing', async () => {
    expect(await send(earned('rwd_1'))).toBe(200);
    await receiver.kill('SIGKILL');
    await appendFile(ledger, '{"kind":"granted","rewardId":"rw');
    await startReceiver();
    expect(await send(earned('rwd_2'))).toBe(200);
    expect(await entries()).toMatchObject([{ rewardId: 'rwd_1' }, { rewardId: 'rwd_2' }]);
  });
});

test.each([
  ['cash, which is paid elsewhere', { benefitKind: 'cash' }],
  ['what Goodword delivers itself', { delivery: { method: 'stripe_balance' } }],
  [
    'a partner’s',
    { beneficiary: { participantId: 'par_1', kind: 'individual', externalId: null } },
  ],
])('it answers 202 to a Reward that it does not grant: %s', async (_, more) => {
  expect(await send(earned('rwd_1', more))).toBe(202);
  expect(await send(earned('rwd_1', more))).toBe(202);
  expect(await entries()).toEqual([]);
});

describe('a Reward that is due again after a failed refund', () => {
  const T = ['2026-11-15T09:31:00.000Z', '2026-11-15T09:32:00.000Z'] as const;
  const lost = { ...voided('rwd_1'), occurredAt: T[0] };
  const again = { ...earned('rwd_1', {}, 'wev_again'), occurredAt: T[1] };
  const back = { ...event('wev_back', 'reward.restored', reward('rwd_1')), occurredAt: T[1] };

  test.each([
    [
      'not granted, by another reward.earned',
      [lost, again, again],
      ['voided', 'restored', 'granted'],
    ],
    [
      'granted and taken back',
      [earned('rwd_1'), lost, back, back],
      ['granted', 'voided', 'restored', 'granted'],
    ],
    ['granted, and told of it first', [earned('rwd_1'), back, lost], ['granted', 'restored']],
    ['told of in the wrong order', [back, earned('rwd_1'), lost], ['restored', 'granted']],
  ])('%s, is given in the end, and once', async (_, told, expected) => {
    for (const one of told) expect(await send(one)).toBe(200);
    expect(await kinds('rwd_1')).toEqual(expected);
    await receiver.kill('SIGKILL');
    await startReceiver();
    for (const one of told) expect(await send(one)).toBe(200);
    expect(await kinds('rwd_1')).toEqual(expected);
  });
});

describe('a Reward that was voided', () => {
  let goodword: Receiver;
  let calls: { path: string; key: unknown; body: string }[];
  /** Of the next calls; 200 when there are none left. */
  let answers: (number | ((response: ServerResponse) => void))[];
  beforeEach(async () => {
    calls = [];
    answers = [];
    goodword = await receiveHttp(async (request: IncomingMessage, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      calls.push({
        path: `${request.method} ${request.url}`,
        key: request.headers['x-api-key'],
        body,
      });
      const answer = answers.shift() ?? 200;
      if (typeof answer === 'number') response.writeHead(answer).end('{}');
      else answer(response);
    });
    await receiver.kill('SIGTERM');
    await startReceiver({
      GOODWORD_URL: `http://127.0.0.1:${goodword.port}`,
      GOODWORD_KEY: 'gw_live_key',
    });
  });
  afterEach(() => goodword.close());

  test('is taken back, and that is reported once', async () => {
    await send(earned('rwd_1'));
    expect(await send(voided('rwd_1'))).toBe(200);
    expect(await send(voided('rwd_1'))).toBe(200);
    expect(calls).toEqual([
      {
        path: 'POST /v1/rewards/rwd_1/revocation',
        key: 'gw_live_key',
        body: JSON.stringify({ projectId: PROJECT, externalReference: 'take-back of rwd_1' }),
      },
    ]);
    expect(await kinds('rwd_1')).toEqual(['granted', 'voided', 'reported']);
  });

  test('is reported again, after a restart too, until Goodword takes it', async () => {
    await send(earned('rwd_1'));
    answers = [409, 503];
    expect(await send(voided('rwd_1'))).toBe(503);
    expect(await send(voided('rwd_1'))).toBe(503);
    await receiver.kill('SIGKILL');
    await startReceiver({
      GOODWORD_URL: `http://127.0.0.1:${goodword.port}`,
      GOODWORD_KEY: 'gw_live_key',
    });
    expect(await send(voided('rwd_1'))).toBe(200);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    expect(await kinds('rwd_1')).toEqual(['granted', 'voided', 'reported']);
  });

  test('was granted all the same: that is still said, so that Goodword hears of both', async () => {
    await send(earned('rwd_1'));
    await send(voided('rwd_1'));
    expect(await send(earned('rwd_1'))).toBe(200);
    expect(await kinds('rwd_1')).toEqual(['granted', 'voided', 'reported']);
  });

  test('before it was granted never is, though the void comes first', async () => {
    expect(await send(voided('rwd_1'))).toBe(200);
    expect(await send(earned('rwd_1'))).toBe(202);
    expect(await kinds('rwd_1')).toEqual(['voided']);
    expect(calls).toEqual([]);
  });

  test('is answered for before the receiver stops', async () => {
    await send(earned('rwd_1'));
    let finish = () => {};
    const asked = new Promise<void>((resolve) => {
      answers = [
        (response) => {
          finish = () => response.writeHead(200).end('{}');
          resolve();
        },
      ];
    });
    const answered = deliver(voided('rwd_1'));
    await asked;
    receiver.signal('SIGTERM');
    await refused();
    finish();
    const { status, headers } = await answered;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await receiver.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await kinds('rwd_1')).toEqual(['granted', 'voided', 'reported']);
  });

  /** Resolves once new connections are refused. */
  async function refused(): Promise<void> {
    for (;;) {
      try {
        await (await fetch(address, { headers: { connection: 'close' } })).text();
      } catch {
        return;
      }
    }
  }
});

test('a test event does nothing, though it looks like a Reward', async () => {
  expect(await send(earned('rwd_1', {}, 'wev_test_1'))).toBe(200);
  expect(await entries()).toEqual([]);
});

test('other events are noted once', async () => {
  const created = { ...event('wev_7', 'participant.created', {}), data: { participant: {} } };
  for (let n = 0; n < 3; n += 1) expect(await send(created)).toBe(200);
  expect(await entries()).toMatchObject([{ kind: 'seen', eventId: 'wev_7' }]);
});

describe('no answer is ahead of the disk', () => {
  const load = (file: string) =>
    import(new URL(`../../../examples/webhook-receiver/src/${file}`, import.meta.url).href);

  test.each([
    ['grant', earned('rwd_1'), false],
    ['take-back', voided('rwd_1'), true],
    ['note', event('wev_7', 'participant.created', {}), false],
  ])('a %s is answered when it is saved', async (_, sent, isGranted) => {
    const { handleEvent } = await load('handle-event.js');
    const gates: (() => void)[] = [];
    const book = {
      reward: () => ({ isGranted, isVoided: false, isReported: false }),
      hasSeen: () => false,
      record: () => undefined,
      saved: () => new Promise<void>((resolve) => gates.push(resolve)),
    };
    let answered = false;
    const answer = handleEvent({ book, reportTakeBack: null }, sent).then((given: object) => {
      answered = true;
      return given;
    });
    await new Promise(setImmediate);
    expect([answered, gates.length]).toEqual([false, 1]);
    gates[0]?.();
    expect(await answer).toMatchObject({ status: 200 });
  });

  test('a ledger that could not write once takes nothing more', async () => {
    const { Ledger } = await load('ledger.js');
    const { ledger: broken } = await Ledger.open(join(folder, 'broken.jsonl'));
    broken.append({ kind: 'seen' });
    await broken.saved();
    await broken.close();
    for (let n = 0; n < 2; n += 1) {
      broken.append({ kind: 'seen' });
      await expect(broken.saved()).rejects.toThrow();
    }
  });
});

describe('it does not start', () => {
  const failing = async (env: Env) => {
    const { code, stderr } = await launchReceiver(env).ended;
    expect(code).toBe(1);
    return stderr;
  };

  test('without a secret', async () => {
    expect(await failing({ LEDGER: ledger })).toMatch(/Set WEBHOOK_SECRET/);
  });

  test('on a ledger that is damaged', async () => {
    await writeFile(ledger, '{"kind":"granted"\n{"kind":"seen","eventId":"wev_1"}\n');
    expect(await failing(settings())).toMatch(/Line 1 of the ledger is damaged/);
  });
});
