import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { killAll, type Program, startProgram } from '../process.ts';
import { makeRandom } from '../random.ts';
import { rounds } from '../rounds.ts';
import { TestSmtpServer } from '../smtp-server.ts';
import { makeDataFolder, openShop, type Shop } from './shop.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'goodword-mail-kill-'));
const KILLS = rounds(3, 12);
/** Signups before the first kill, and during each. */
const FIRST = 24;
const MORE = 3;
/** Mails from one kill to the next. */
const MAILS_MIN = 3;
const MAILS_MAX = 7;
/** From the last of these to the kill: any phase of the next mail. */
const DELAY_MAX_MS = 30;
/** Longer than a process keeps a mail that it has taken. */
const LEASE_MINUTES = 11;

const smtp = new TestSmtpServer();
let settings: Record<string, string>;
beforeAll(async () => {
  const SMTP_URL = await smtp.listen();
  settings = { DATA_DIR, SMTP_URL, MAIL_FROM: 'Goodword <own@example.com>' };
  makeDataFolder(DATA_DIR);
});
afterAll(async () => {
  await killAll();
  smtp.close();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

type Call = (method: string, path: string, body: object) => Promise<{ data: { id: string } }>;

const callsOf =
  (url: string, { key, projectId }: Shop): Call =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ projectId, ...body }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as { data: { id: string } };
  };

const person = (externalId: string) => ({ kind: 'individual', externalId });

/** A Program whose referrer is mailed about every friend; returns the source of signups. */
async function setUp(call: Call, { projectId }: Shop): Promise<string> {
  const { data: source } = await call('POST', '/v1/sources', {});
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const { data: program } = await call('POST', '/v1/programs', {
    kind: 'referral',
    name: 'Invite',
    config,
  });
  await call('POST', `/v1/programs/${program.id}/status`, { status: 'active' });
  const link = { programId: program.id, participant: person('ada'), slug: 'ada' };
  await call('POST', '/v1/referral-links', link);
  await call('PUT', '/v1/participants', { participant: person('ada'), email: 'ada@example.com' });
  const sender = { name: 'Acme', address: 'rewards@example.com' };
  await call('PUT', `/v1/projects/${projectId}/mail-settings`, { sender, sandboxMode: 'marked' });
  const kinds = ['friend_joined'];
  await call('PUT', `/v1/programs/${program.id}/mail-settings`, { kinds });
  return source.id;
}

interface Shown {
  readonly id: string;
  readonly factId: string;
  readonly state: string;
}

async function listMails(url: string, { key, projectId }: Shop): Promise<Shown[]> {
  const response = await fetch(`${url}/v1/mails?projectId=${projectId}&limit=100`, {
    headers: { 'x-api-key': key },
  });
  const { data, nextCursor } = (await response.json()) as { data: Shown[]; nextCursor: unknown };
  expect(nextCursor).toBeNull();
  return data;
}

/** The mails that the server has accepted, by the ids in their headers. */
const receivedIds = () =>
  smtp.received.map(({ message }) => /^Message-ID: <(mail_\w+)@/im.exec(message)?.[1] ?? '');

/** As if nobody had looked at the store for a while. */
async function letLeasesEnd(): Promise<void> {
  const driver = await openEmbedded(DATA_DIR);
  await driver.query(
    `update mails set due_at = due_at - interval '${LEASE_MINUTES} minutes' where due_at is not null`,
  );
  await driver.close();
}

async function killWhileMailing(program: Program, random: (max: number) => number): Promise<void> {
  const enough = smtp.received.length + MAILS_MIN + random(MAILS_MAX - MAILS_MIN);
  await expect
    .poll(() => smtp.received.length, { interval: 1, timeout: 60_000 })
    .toBeGreaterThanOrEqual(enough);
  await pause(random(DELAY_MAX_MS));
  const { signal } = await program.kill('SIGKILL');
  expect(signal).toBe('SIGKILL');
}

async function killAgainAndAgain(random: (max: number) => number): Promise<void> {
  let program = await startProgram(settings);
  const shop = await openShop(program.url, DATA_DIR);
  const sourceNamespaceId = await setUp(callsOf(program.url, shop), shop);
  const signUp = (url: string, externalId: string) =>
    callsOf(url, shop)('POST', '/v1/track/events', {
      sourceNamespaceId,
      type: 'signup',
      participant: person(externalId),
      refCode: 'ada',
    });
  let count = 0;
  /** Those who have no answer. */
  const unanswered = new Set<string>();
  const signUpAll = (url: string, names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => {
        unanswered.add(name);
        await signUp(url, name);
        unanswered.delete(name);
      }),
    );
  const namesOf = (more: number) => {
    count += more;
    return Array.from({ length: more }, (_, n) => `friend ${count - n}`);
  };
  await signUpAll(program.url, namesOf(FIRST));

  for (let kill = 1; kill <= KILLS; kill += 1) {
    // Some of them may be interrupted, and are told again.
    const told = signUpAll(program.url, namesOf(MORE)).catch(() => undefined);
    await killWhileMailing(program, random);
    await told;
    if (kill === KILLS) await letLeasesEnd();
    program = await startProgram(settings);
    await signUpAll(program.url, [...unanswered]);
  }

  const states = async () => (await listMails(program.url, shop)).map(({ state }) => state);
  const isOver = (state: string) => state === 'sent' || state === 'unknown';
  await expect
    .poll(async () => (await states()).filter(isOver).length, { timeout: 60_000 })
    .toBe(count);
  const mails = await listMails(program.url, shop);
  expect(new Set(mails.map(({ factId }) => factId)).size).toBe(count);
  const received = receivedIds();
  expect(new Set(received).size).toBe(received.length);
  const sent = mails.filter(({ state }) => state === 'sent').map(({ id }) => id);
  expect(received).toEqual(expect.arrayContaining(sent));
  expect(mails.map(({ id }) => id)).toEqual(expect.arrayContaining(received));
  expect((await program.kill('SIGTERM')).code).toBe(0);
}

test(`SIGKILL while it mails, ${KILLS} times, loses no mail and sends none twice`, async () => {
  const seed = randomInt(2 ** 31);
  try {
    await killAgainAndAgain(makeRandom(seed));
  } catch (error) {
    throw new Error(`With the seed ${seed}: ${(error as Error).message}`, { cause: error });
  }
});
