import { expect } from 'vitest';
import type { Answer, TestProject, TestService } from './harness.ts';

const person = (externalId: string) => ({ kind: 'individual', externalId });

/** A Project in which bob came by ada's link, and her rewards are earned by his purchases. */
export interface Shop {
  readonly project: TestProject;
  readonly programId: string;
  readonly sourceNamespaceId: string;
  post(path: string, body?: object): Promise<Answer>;
  read(path: string, query?: Record<string, string>): Promise<Answer>;
  /** What the referrer, or who it says, earns by every purchase from now on. */
  addRule(terms: object, beneficiaryRole?: string): Promise<void>;
  setDelivery(choice: object): Promise<void>;
  /** Somebody new comes by ada's link; returns the Event's id. */
  signUp(externalId: string): Promise<string>;
  /** Bob buys for 10 dollars; returns the Event's id. */
  order(name: string): Promise<string>;
  /** Buys likewise and returns the ids of what that earned, by kind. */
  buy(name: string): Promise<Record<string, string>>;
  /** The whole feed. */
  feed(): Promise<FeedEvent[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
export type FeedEvent = Record<string, any>;

type Service = Pick<TestService, 'call' | 'newProject'> &
  Partial<Pick<TestService, 'copyProject' | 'clock'>>;

/** What a shop is set up with, kept to be copied. */
interface SetUp {
  readonly project: TestProject;
  readonly programId: string;
  readonly sourceNamespaceId: string;
  readonly at: number | undefined;
}

const setUps = new WeakMap<Service, SetUp>();

/** One that has no id in common with any other. */
export async function openForeignShop(service: Service): Promise<Shop> {
  return makeShop(service, await setUpShop(service));
}

export async function openShop(service: Service): Promise<Shop> {
  if (!service.copyProject) return openForeignShop(service);
  const at = service.clock?.nowMs();
  const known = setUps.get(service);
  const setUp = known && known.at === at ? known : { ...(await setUpShop(service)), at };
  setUps.set(service, setUp);
  return makeShop(service, { ...setUp, project: await service.copyProject(setUp.project) });
}

const ok = (answer: Answer): Answer => {
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer;
};

async function setUpShop(service: Service): Promise<Omit<SetUp, 'at'>> {
  const project = await service.newProject();
  const { projectId, key: as } = project;
  const post = async (path: string, body: object = {}) =>
    ok(await service.call('POST', path, { as, body: { projectId, ...body } })).body;
  const { sourceNamespaceId } = await post('/v1/sources');
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const made = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
  const programId = made.data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
  const signup = { type: 'signup', participant: person('bob'), refCode: 'ada' };
  await post('/v1/track/events', { sourceNamespaceId, ...signup });
  return { project, programId, sourceNamespaceId };
}

function makeShop(
  service: Service,
  { project, programId, sourceNamespaceId }: Omit<SetUp, 'at'>,
): Shop {
  const { projectId } = project;
  const send = (method: 'POST' | 'PUT', path: string, body: object) =>
    service.call(method, path, { as: project.key, body: { projectId, ...body } });
  const post = (path: string, body: object = {}) => send('POST', path, body);
  const read = (path: string, query: Record<string, string> = {}) =>
    service.call('GET', path, { as: project.key, query: { projectId, ...query } });

  const track = async (body: object) =>
    ok(await post('/v1/track/events', { sourceNamespaceId, ...body })).body;
  const signUp = async (externalId: string): Promise<string> =>
    (await track({ type: 'signup', participant: person(externalId), refCode: 'ada' })).eventId;
  const order = async (sourceEventId: string): Promise<string> => {
    const purchase = { amountMinor: '1000', currency: 'USD' };
    const bob = person('bob');
    return (await track({ type: 'purchase', participant: bob, sourceEventId, purchase })).eventId;
  };

  return {
    project,
    programId,
    sourceNamespaceId,
    post,
    read,
    async addRule(terms, beneficiaryRole = 'referrer') {
      const rule = { programId, eventType: 'purchase', purpose: 'bonus', name: 'Thanks' };
      ok(
        await post('/v1/benefit-rules', {
          ...rule,
          beneficiaryRole,
          terms: { durationMode: 'forever', ...terms },
        }),
      );
    },
    async setDelivery(choice) {
      ok(await send('PUT', `/v1/programs/${programId}/delivery-settings`, choice));
    },
    signUp,
    order,
    async buy(name) {
      const eventId = await order(name);
      const { body } = ok(await read('/v1/rewards', { eventId }));
      return Object.fromEntries(
        body.data.map((one: { benefitKind: string; id: string }) => [one.benefitKind, one.id]),
      );
    },
    async feed() {
      const events: FeedEvent[] = [];
      for (let after: string | undefined; ; ) {
        const from: Record<string, string> = after === undefined ? {} : { after };
        const page = ok(await read('/v1/webhook-events', { limit: '500', ...from }));
        events.push(...page.body.events);
        if (page.body.events.length === 0) return events;
        after = page.body.next;
      }
    },
  };
}
