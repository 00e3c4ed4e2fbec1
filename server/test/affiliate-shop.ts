import { expect } from 'vitest';
import { type BecomePartner, becomePartner } from './become-partner.ts';
import type { Answer, TestProject, TestService } from './harness.ts';
import type { FeedEvent } from './shop.ts';

const person = (externalId: string) => ({ kind: 'individual', externalId });

/** A Project with an affiliate Program: its Partner earns a tenth of every purchase, by payout. */
export interface AffiliateShop extends BecomePartner {
  readonly project: TestProject;
  post(path: string, body?: object): Promise<Answer>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  read(path: string, query?: Record<string, string>): Promise<any>;
  /** Somebody new types the Partner's code. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  signUp(externalId: string): Promise<any>;
  /** For 200 dollars unless told; returns the Event's id. */
  buy(externalId: string, order: string, amountMinor?: string): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  rewards(): Promise<any[]>;
  feed(): Promise<FeedEvent[]>;
}

export async function openAffiliateShop(
  service: TestService,
  project: TestProject,
  email: string,
): Promise<AffiliateShop> {
  const { projectId, key: as } = project;
  const ok = (answer: Answer): Answer => {
    expect([answer.status, answer.body]).toMatchObject([200, {}]);
    return answer;
  };
  const post = (path: string, body: object = {}) =>
    service.call('POST', path, { as, body: { projectId, ...body } });
  const read = async (path: string, query: Record<string, string> = {}) =>
    ok(await service.call('GET', path, { as, query: { projectId, ...query } })).body;
  const partner = await becomePartner(service, project, email);
  const { programId, participantId, code } = partner;
  const { sourceNamespaceId } = ok(await post('/v1/sources')).body;
  ok(
    await post('/v1/benefit-rules', {
      programId,
      eventType: 'purchase',
      purpose: 'primary',
      name: 'Commission',
      beneficiaryRole: 'referrer',
      terms: {
        benefitKind: 'cash',
        calculation: 'percentage',
        rateBps: 1_000,
        durationMode: 'forever',
      },
    }),
  );
  ok(
    await service.call('PUT', `/v1/programs/${programId}/delivery-settings`, {
      as,
      body: { projectId, cashMethod: 'payout' },
    }),
  );
  const track = async (body: object) =>
    ok(await post('/v1/track/events', { sourceNamespaceId, ...body })).body;
  return {
    ...partner,
    project,
    post,
    read,
    signUp: (externalId) =>
      track({ type: 'signup', participant: person(externalId), refCode: code }),
    async buy(externalId, sourceEventId, amountMinor = '20000') {
      const purchase = { amountMinor, currency: 'USD' };
      const participant = person(externalId);
      return (await track({ type: 'purchase', participant, sourceEventId, purchase })).eventId;
    },
    rewards: async () =>
      (await read('/v1/rewards', { beneficiaryParticipantId: participantId })).data,
    feed: async () => (await read('/v1/webhook-events', { limit: '500' })).events,
  };
}

/** Another Project of the same Workspace and environment. */
export async function newSibling(service: TestService, project: TestProject): Promise<TestProject> {
  const { workspaceId, key } = project;
  const body = { workspaceId, name: 'Another shop', environment: 'sandbox' };
  const { data } = (await service.call('POST', '/v1/projects', { as: 'operator', body })).body;
  return { workspaceId, key, projectId: data.id, projectKey: data.projectKey };
}
