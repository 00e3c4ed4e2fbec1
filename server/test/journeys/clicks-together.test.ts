import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { CommitUnknownError } from '../../src/platform/db/driver.ts';
import { openTestDatabase } from '../database.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';

const MANY = 30;
const PAGE = 'https://example.com/welcome';
const POISON = 'https://example.com/poison';
const ada = { kind: 'individual', externalId: 'ada' };

let service: TestService;
let project: TestProject;
/** What the database does instead of a transaction. */
let failure: Error | null = null;
let transactions = 0;

/** A database that fails when it is told to, and cannot save anything about a poisoned page. */
function withFaults(database: Database): Database {
  const poisoned = (tx: Tx): Tx => ({
    ...tx,
    send: (text, params = []) => {
      if (JSON.stringify(params).includes(POISON)) throw new Error('This cannot be saved.');
      tx.send(text, params);
    },
  });
  return {
    ...database,
    transaction: (body, options) => {
      transactions += 1;
      if (failure) return Promise.reject(failure);
      return database.transaction((tx) => body(poisoned(tx)), options);
    },
  };
}

beforeAll(async () => {
  service = await startService({ database: withFaults(await openTestDatabase()) });
});
beforeEach(async () => {
  failure = null;
  project = await openProject();
  transactions = 0;
});
afterAll(() => service.close());

async function openProject(): Promise<TestProject> {
  const opened = await service.newProject();
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', path, {
      as: opened.key,
      body: { projectId: opened.projectId, ...body },
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  const config = { brandConfig: { landingPageUrl: PAGE } };
  const program = await post('/v1/programs', { kind: 'referral', name: 'Friends', config });
  const programId = program.data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-codes', { participant: ada, programId, code: 'ada-code' });
  return opened;
}

const click = (body: object = {}, of = project) =>
  service.call('POST', '/v1/clicks', {
    body: { projectKey: of.projectKey, ref: 'ada-code', url: PAGE, ...body },
  });

const together = <T>(make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, n) => make(n)));

const follow = async (name = 'ada-code', of = project) => {
  const answer = await fetch(`${service.url}/l/${of.projectKey}/${name}`, { redirect: 'manual' });
  const location = answer.headers.get('location');
  const token = location && new URL(location).searchParams.get('service_click');
  return { status: answer.status, token };
};

interface TouchRow {
  readonly handleId: string;
  readonly source: string;
  readonly landingUrl: string;
}

const touchesOf = (of = project) =>
  service.database.reads.query<TouchRow>(
    `select handle_id as "handleId", source, landing_url as "landingUrl" from touches
     where project_id = $1`,
    [of.projectId],
  );

const sorted = (texts: readonly string[]) => texts.toSorted();

describe('clicks at the same time', () => {
  test('get a handle each, and every handle that was answered has its touch', async () => {
    const answers = await together(() => click());
    const handles = answers.map(({ status, body }) => {
      expect(status).toBe(200);
      return body.handle as string;
    });
    expect(new Set(handles).size).toBe(MANY);
    expect(sorted((await touchesOf()).map(({ handleId }) => handleId))).toEqual(sorted(handles));
  });

  test('share transactions', async () => {
    await together(() => click());
    expect(transactions).toBeLessThan(MANY);
  });

  test('of several Projects stay apart', async () => {
    const other = await openProject();
    const answers = await together((n) => click({}, n % 2 === 0 ? project : other));
    const handlesOf = (rest: number) =>
      sorted(answers.filter((_, n) => n % 2 === rest).map(({ body }) => body.handle));
    const saved = async (of: TestProject) =>
      sorted((await touchesOf(of)).map(({ handleId }) => handleId));
    expect(await saved(project)).toEqual(handlesOf(0));
    expect(await saved(other)).toEqual(handlesOf(1));
  });

  test('with one token count once as a followed link', async () => {
    const { token } = await follow();
    await together(() => click({ click: token }));
    const sources = (await touchesOf()).map(({ source }) => source);
    expect(sources.filter((source) => source === 'link')).toHaveLength(1);
    expect(sources).toHaveLength(MANY);
  });

  test('of one browser are one touch', async () => {
    const { handle } = (await click({ ref: 'ada-code' })).body;
    service.clock.advance(61 * 60_000);
    const answers = await together(() => click({ handle }));
    expect(new Set(answers.map(({ body }) => body.handle))).toEqual(new Set([handle]));
    expect(await touchesOf()).toHaveLength(2);
  });

  test('do not fail because of one that cannot be saved', async () => {
    const answers = await together((n) => click(n === 7 ? { url: POISON } : {}));
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: MANY }, (_, n) => (n === 7 ? 500 : 200)),
    );
    expect(await touchesOf()).toHaveLength(MANY - 1);
  });

  test('of unknown codes and of known ones each get their own answer', async () => {
    const answers = await together((n) => click({ ref: n % 2 === 0 ? 'ada-code' : `no-${n}` }));
    expect(answers.map(({ body }) => body.handle !== null)).toEqual(
      Array.from({ length: MANY }, (_, n) => n % 2 === 0),
    );
  });

  test.each([
    ['is away', Object.assign(new Error('away'), { code: 'ECONNREFUSED' })],
    ['breaks while saving', new CommitUnknownError('The connection broke.')],
  ])('all get 503 while the database %s, and none is tried again unasked', async (_, error) => {
    failure = error;
    const answers = await together(() => click());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers[0]?.headers.get('retry-after')).toBe('1');
    failure = null;
    expect(await touchesOf()).toEqual([]);
    const again = await together(() => click());
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await touchesOf()).toHaveLength(MANY);
  });
});

describe('links that are followed at the same time', () => {
  test('lead on each by itself, known or not, and each token is new', async () => {
    const followed = await together((n) => follow(n % 3 === 0 ? `no-${n}` : 'ADA-code'));
    expect(followed.map(({ status }) => status)).toEqual(
      Array.from({ length: MANY }, (_, n) => (n % 3 === 0 ? 404 : 302)),
    );
    const tokens = followed.flatMap(({ token }) => token ?? []);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test('notice at once that a Program was paused', async () => {
    const query = { projectId: project.projectId };
    const programs = await service.call('GET', '/v1/programs', { as: project.key, query });
    const { id } = programs.body.data[0];
    expect((await together(() => follow())).every(({ token }) => token !== null)).toBe(true);
    const paused = await service.call('POST', `/v1/programs/${id}/status`, {
      as: project.key,
      body: { ...query, status: 'paused' },
    });
    expect(paused.status).toBe(200);
    expect((await together(() => follow())).every(({ token }) => token === null)).toBe(true);
  });
});

// The embedded database runs one transaction at a time.
describe.runIf(inject('template').kind === 'postgres')('a handle that another call holds', () => {
  test('keeps nobody else waiting, and its click is answered when it is free', async () => {
    const { handle } = (await click()).body;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const holding = service.database.transaction(async (tx) => {
      await tx.query('select 1 from handles where project_id = $1 and id = $2 for update', [
        project.projectId,
        handle,
      ]);
      begin();
      await held;
    });
    await begun;
    let isAnswered = false;
    const own = click({ handle }).then((answer) => {
      isAnswered = true;
      return answer;
    });
    const others = await together(() => click());
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    expect(isAnswered).toBe(false);
    release();
    await holding;
    expect((await own).body.handle).toBe(handle);
  });
});
