import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
let sourceNamespaceId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
  sourceNamespaceId = (await shop.post('/v1/sources')).body.sourceNamespaceId;
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const signUp = async (externalId: string, refCode: string) => {
  service.clock.advance(1);
  const event = { sourceNamespaceId, type: 'signup', participant: person(externalId), refCode };
  return (await shop.post('/v1/track/events', event)).body;
};
const idOf = async (externalId: string) =>
  (await shop.read('/v1/participants', { externalId })).body.data[0].id as string;

/** All pages of a list, and how many there were. */
async function walk(path: string, query: Record<string, string>) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const rows: any[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const { status, body } = await shop.read(path, { ...query, ...(cursor ? { cursor } : {}) });
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.nextCursor;
  }
  return { rows, pages };
}

describe('Referrals', () => {
  const list = async (query: Record<string, string> = {}) =>
    (await walk('/v1/referrals', query)).rows.map(({ referee }) => referee.externalId);

  test('come newest first, with who their sides are, page by page', async () => {
    await signUp('carol', 'ada');
    await signUp('dave', 'ada');
    const [newest] = (await shop.read('/v1/referrals')).body.data;
    expect(newest).toMatchObject({
      programId: shop.programId,
      referrer: { participantId: newest.referrerParticipantId, externalId: 'ada' },
      referee: { participantId: newest.refereeParticipantId, externalId: 'dave' },
    });
    expect((await shop.read(`/v1/referrals/${newest.id}`)).body.data.id).toBe(newest.id);
    const { rows, pages } = await walk('/v1/referrals', { limit: '1' });
    expect([rows.map(({ referee }) => referee.externalId), pages]).toEqual([
      ['dave', 'carol', 'bob'],
      3,
    ]);
  });

  test('are narrowed by Program, referrer and referee, and by several together', async () => {
    const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
    const made = await shop.post('/v1/programs', { kind: 'referral', name: 'Second', config });
    const second = made.body.data.id;
    await shop.post(`/v1/programs/${second}/status`, { status: 'active' });
    const share = (programId: string, who: string, slug: string) =>
      shop.post('/v1/referral-links', { programId, participant: person(who), slug });
    await share(second, 'ada', 'ada-second');
    await share(second, 'grace', 'grace');
    await signUp('carol', 'ada-second');
    await signUp('dave', 'grace');
    const [ada, carol] = [await idOf('ada'), await idOf('carol')];
    expect(await list({ programId: second })).toEqual(['dave', 'carol']);
    expect(await list({ referrerParticipantId: ada })).toEqual(['carol', 'bob']);
    expect(await list({ programId: second, referrerParticipantId: ada })).toEqual(['carol']);
    expect(await list({ refereeParticipantId: carol })).toEqual(['carol']);
    expect(await list({ refereeParticipantId: carol, programId: shop.programId })).toEqual([]);
    expect((await shop.read('/v1/referrals', { cursor: 'rubbish' })).status).toBe(400);
  });
});

describe('Events', () => {
  const types = async (query: Record<string, string>) =>
    (await walk('/v1/events', query)).rows.map(({ type }) => type);

  test('are narrowed by participant, type and state', async () => {
    await signUp('carol', 'ada');
    await shop.order('order-1');
    const visit = { sourceNamespaceId, type: 'custom_visit', participant: person('bob') };
    await shop.post('/v1/track/events', { ...visit, sourceEventId: 'visit' });
    const bob = await idOf('bob');
    expect(await types({ participantId: bob })).toEqual(['custom_visit', 'purchase', 'signup']);
    expect(await types({ participantId: bob, type: 'purchase' })).toEqual(['purchase']);
    expect(await types({ type: 'signup' })).toEqual(['signup', 'signup']);
    expect(await types({ processingState: 'failed' })).toEqual([]);
    expect(await types({ processingState: 'processed' })).toHaveLength(4);
    await shop.post('/v1/track/events', {
      sourceNamespaceId,
      type: 'purchase',
      participant: person('nobody-yet'),
      sourceEventId: 'early',
    });
    expect(await types({ processingState: 'pending' })).toEqual(['purchase']);
    expect(await types({ processingState: 'pending', participantId: bob })).toEqual([]);
  });

  test('by cursor are the same as by offset, whatever is left out between', async () => {
    const events = Array.from({ length: 120 }, (_, n) => ({
      sourceNamespaceId,
      type: n % 40 === 0 ? 'custom_rare' : 'custom_visit',
      participant: person('bob'),
      sourceEventId: `visit-${n}`,
    }));
    await shop.post('/v1/track/events/batch', { events });
    const byOffset: string[] = [];
    for (let offset: string | null = '0'; offset !== null; ) {
      const { body }: { body: { data: { id: string }[]; nextOffset: string | null } } =
        await shop.read('/v1/events', { offset });
      byOffset.push(...body.data.map(({ id }) => id));
      offset = body.nextOffset;
    }
    const { rows, pages } = await walk('/v1/events', {});
    expect([rows.map(({ id }) => id), pages]).toEqual([byOffset, 3]);
    const rare = (await walk('/v1/events', { type: 'custom_rare' })).rows;
    expect(rare.map(({ sourceEventId }) => sourceEventId)).toEqual([
      'visit-80',
      'visit-40',
      'visit-0',
    ]);
  });

  test.each([{ offset: '0', type: 'signup' }, { cursor: 'rubbish' }])(
    '%j is refused',
    async (query) => {
      expect((await shop.read('/v1/events', query as Record<string, string>)).status).toBe(400);
    },
  );
});

describe('the audit log', () => {
  const log = async (query: Record<string, string>) => {
    const { workspaceId } = shop.project;
    const answer = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId, ...query },
    });
    expect(answer.status).toBe(200);
    return answer.body.data as Record<string, string>[];
  };

  test('is narrowed by who, what, to what, in which Project, and when', async () => {
    await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
    const { cash: first } = await shop.buy('one');
    const { cash: second } = await shop.buy('two');
    service.clock.advance(3 * 3_600_000);
    const before = service.clock.now;
    service.clock.advance(3 * 3_600_000);
    const reward = (id: string | undefined) =>
      shop.post(`/v1/rewards/${id}/void`, { reasonCode: 'fraud' });
    await reward(first);
    service.clock.advance(1);
    await reward(second);
    const all = await log({});
    const [last] = all;
    expect(last).toMatchObject({ actorType: 'key', targetType: 'reward', targetId: second });
    const targets = async (query: Record<string, string>) =>
      (await log(query)).map(({ targetId }) => targetId);
    expect(await targets({ action: last?.action ?? '' })).toEqual([second, first]);
    expect(await targets({ targetId: first ?? '' })).toEqual([first]);
    expect(await targets({ targetType: 'reward', limit: '1' })).toEqual([second]);
    expect(await targets({ actorId: last?.actorId ?? '', from: before })).toEqual([second, first]);
    expect((await log({ actorId: 'admin-token' })).every((one) => one.actorType === 'cli')).toBe(
      true,
    );
    expect(await targets({ from: before })).toEqual([second, first]);
    expect(await targets({ from: last?.at ?? '', to: last?.at ?? '' })).toEqual([second]);
    expect((await log({ to: before })).length).toBe(all.length - 2);
    expect(await targets({ projectId: shop.project.projectId, from: before })).toHaveLength(2);
    const query = { workspaceId: shop.project.workspaceId, projectId: 'prj_none' };
    const nowhere = await service.call('GET', '/v1/audit-log', { as: 'operator', query });
    expect(nowhere.status).toBe(404);
    expect(await targets({ targetId: first ?? '', action: 'nothing.done' })).toEqual([]);
  });
});
