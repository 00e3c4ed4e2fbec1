import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeTracker, type Tracker } from '../../src/domain/tracking/batch/track-event.ts';
import { normalizeEvent } from '../../src/domain/tracking/intake/normalize-event.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { requestFor } from '../write-notes.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
/** Another process of the same service: it remembers on its own. */
let other: Tracker;
let sent = 0;

beforeAll(async () => {
  service = await openService();
  const { database, clock } = service;
  const newId = makeNewId(clock.nowMs);
  const writer = createProjectWriter({
    database,
    clock,
    newId,
    queueMax: 10,
    fanOut: queueDeliveries,
  });
  other = makeTracker({
    writer,
    keyring: createKeyring(ROOT_KEY),
    listAccounts,
    onFailure: () => undefined,
  });
});
afterAll(() => service.close());

async function send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) {
  const answer = await service.call(method, path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

const CREDIT = {
  benefitKind: 'credit',
  currency: 'USD',
  currencyExponent: 2,
  durationMode: 'forever',
};
const addRule = (fixedAmountMinor: string) =>
  send('POST', '/v1/benefit-rules', {
    programId,
    eventType: 'custom_visit',
    beneficiaryRole: 'subject',
    purpose: 'bonus',
    name: 'Thanks',
    terms: { ...CREDIT, fixedAmountMinor },
  });

/** Tells the other process of a visit; returns what it earned, in order. */
async function visit(): Promise<string[]> {
  sent += 1;
  const participant = { kind: 'individual', externalId: `p${sent}` } as const;
  const { eventId } = await other.track(
    requestFor(project.projectId),
    normalizeEvent({
      projectId: project.projectId,
      sourceNamespaceId,
      type: 'custom_visit',
      sourceEventId: `visit-${sent}`,
      participant,
    } as Parameters<typeof normalizeEvent>[0]),
  );
  const rows = await service.database.reads.query<{ amount: string }>(
    `select amount_minor::text as amount from rewards
     where project_id = $1 and event_id = $2 order by number`,
    [project.projectId, eventId],
  );
  return rows.map(({ amount }) => amount);
}

const configNumber = async () => {
  const [head] = await service.database.reads.query<{ number: bigint }>(
    'select config_number as number from project_heads where project_id = $1',
    [project.projectId],
  );
  return Number(head?.number);
};

beforeEach(async () => {
  project = await service.newProject();
  sourceNamespaceId = (await send('POST', '/v1/sources', {})).sourceNamespaceId;
  programId = (await send('POST', '/v1/programs', { kind: 'loyalty', name: 'Points' })).data.id;
  await send('POST', `/v1/programs/${programId}/status`, { status: 'active' });
});

test('a process judges the next fact by settings that another process has just changed', async () => {
  expect(await visit()).toEqual([]);
  const rule = (await addRule('100')).data;
  expect(await visit()).toEqual(['100']);
  service.clock.advance(1);
  await send('POST', `/v1/benefit-rules/${rule.id}/terms`, {
    terms: { ...CREDIT, fixedAmountMinor: '250' },
  });
  expect(await visit()).toEqual(['250']);
  await addRule('7');
  expect(await visit()).toEqual(['250', '7']);
  service.clock.advance(1);
  await send('POST', `/v1/programs/${programId}/status`, { status: 'ended' });
  expect(await visit()).toEqual([]);
  await send('PATCH', `/v1/sources/${sourceNamespaceId}`, { enabled: false });
  await expect(visit()).rejects.toMatchObject({ reason: 'source_disabled' });
});

test('facts leave the number of the settings alone, and settings that change nothing too', async () => {
  const before = await configNumber();
  await visit();
  await send('POST', '/v1/sources', {});
  expect(await configNumber()).toBe(before);
  await addRule('100');
  expect(await configNumber()).toBe(before + 1);
});
