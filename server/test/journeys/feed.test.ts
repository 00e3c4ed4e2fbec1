import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/platform/feed/cursor.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
  project = await service.newProject();
});
afterAll(() => service.close());

const upsert = (externalId: string, of = project) =>
  service.call('PUT', '/v1/participants', {
    as: of.key,
    body: { projectId: of.projectId, participant: { kind: 'individual', externalId } },
  });

const read = async (query: Record<string, string | number> = {}, of = project) =>
  service.call('GET', '/v1/webhook-events', {
    as: of.key,
    query: { projectId: of.projectId, ...query },
  });

describe('the feed (D-FEED-1)', () => {
  test('begins with a cursor to go on from, before anything happened', async () => {
    const fresh = await service.newProject();
    const start = await read({}, fresh);
    expect(start.body).toMatchObject({ success: true, events: [] });
    expect(start.body.next).not.toBe('');
    await upsert('late', fresh);
    const { body } = await read({ after: start.body.next }, fresh);
    expect(body.events).toHaveLength(1);
  });

  test('can be begun at its end: the last so many, in order, and whatever comes after', async () => {
    const fresh = await service.newProject();
    expect((await read({ last: 2 }, fresh)).body).toMatchObject({ success: true, events: [] });
    for (const name of ['one', 'two', 'three']) await upsert(name, fresh);
    const all = (await read({}, fresh)).body.events;
    const { body } = await read({ last: 2 }, fresh);
    expect(body.events).toEqual(all.slice(-2));
    expect((await read({ last: 500 }, fresh)).body.events).toEqual(all);
    await upsert('four', fresh);
    const { events } = (await read({ after: body.next }, fresh)).body;
    expect(events.map((event: { data: object }) => event.data)).toMatchObject([
      { participant: { externalId: 'four' } },
    ]);
    const mixed = await read({ last: 2, after: body.next }, fresh);
    expect([mixed.status, mixed.body.error.details]).toMatchObject([400, [{ path: 'last' }]]);
  });

  test('gives one event by its id, as it stands in the feed, and to its own project only', async () => {
    const [mine, other] = [await service.newProject(), await service.newProject()];
    for (const name of ['one', 'two', 'three']) await upsert(name, mine);
    const events = (await read({}, mine)).body.events;
    const one = (id: string, of: TestProject) =>
      service.call('GET', `/v1/webhook-events/${id}`, {
        as: of.key,
        query: { projectId: of.projectId },
      });
    for (const event of events) expect((await one(event.id, mine)).body).toMatchObject({ event });
    expect((await one(events[0].id, other)).status).toBe(404);
    expect((await one('wev_nobody', mine)).status).toBe(404);
    const [first, second] = events;
    expect((await one(`${first.id.slice(0, -1)}!`, mine)).status).toBe(404);
    // With the position of another event.
    const mixed = `${first.id.slice(0, 14)}${second.id.slice(14, 22)}${first.id.slice(22)}`;
    expect((await one(mixed, mine)).status).toBe(404);
    // As an earlier version has written it.
    const earlier = `wev_0${first.id.slice(5)}`;
    await service.database.transaction((tx) =>
      tx.query('update feed_events set id = $2 where project_id = $1 and position = 1', [
        mine.projectId,
        earlier,
      ]),
    );
    expect((await one(earlier, mine)).body.event).toMatchObject({ id: earlier, type: first.type });
    expect((await one(first.id, mine)).status).toBe(404);
  });

  test('shows a fact once, in the envelope of the contract', async () => {
    const { body } = await upsert('envelope');
    await upsert('envelope');
    const { events } = (await read()).body;
    const mine = events.filter(
      (event: { data: { participant: { externalId: string } } }) =>
        event.data.participant.externalId === 'envelope',
    );
    expect(mine).toEqual([
      {
        id: expect.stringMatching(/^wev_[0-9a-z]{26}$/),
        type: 'participant.created',
        apiVersion: '2026-10-04',
        occurredAt: service.clock.now,
        projectId: project.projectId,
        environment: 'sandbox',
        data: {
          participant: {
            participantId: body.data.id,
            kind: 'individual',
            externalId: 'envelope',
          },
        },
      },
    ]);
  });

  test('pages in commit order; with nothing new, next is the cursor sent', async () => {
    const mine = await service.newProject();
    const names = Array.from({ length: 7 }, (_, n) => `p${n}`);
    for (const name of names) await upsert(name, mine);
    const seen: string[] = [];
    let after: string | undefined;
    while (true) {
      const { body } = await read({ limit: 3, ...(after ? { after } : {}) }, mine);
      for (const event of body.events) seen.push(event.data.participant.externalId);
      if (body.events.length === 0) {
        expect(body.next).toBe(after);
        break;
      }
      after = body.next;
    }
    expect(seen).toEqual(names);
  });

  test('refuses a cursor of another Project, of nobody, and one ahead of it', async () => {
    const other = await service.newProject();
    await upsert('x', other);
    const foreign = (await read({}, other)).body.next;
    const ahead = encodeCursor(createKeyring(ROOT_KEY), project.projectId, 1_000_000);
    for (const after of [foreign, 'rubbish', `${foreign}A`, '=', 'AAAA', ahead]) {
      const { status, body } = await read({ after });
      expect([after, status]).toEqual([after, 400]);
      expect(body.error.details[0].path).toBe('after');
    }
  });

  test.each([
    ['limit', '0'],
    ['limit', '501'],
    ['limit', 'many'],
    ['limit', '-1'],
    ['after', ''],
    ['apiVersion', '2020-01-01'],
  ])('refuses %s=%s', async (name, value) => {
    const { status, body } = await read({ [name]: value });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe(name);
  });

  test('takes the version asked for', async () => {
    expect((await read({ apiVersion: '2026-10-04' })).status).toBe(200);
  });
});
