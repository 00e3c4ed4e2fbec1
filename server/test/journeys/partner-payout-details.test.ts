import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PayoutDetailsIn } from '../../src/outbound/payouts/details/details-schema.ts';
import {
  savePartnerDetails,
  showPartnerDetails,
} from '../../src/outbound/payouts/details/partner-details.ts';
import { findPayoutDetails } from '../../src/outbound/payouts/details/payee-details.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { becomePartner } from '../become-partner.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';

const EMAIL = 'grace@example.com';
const bank: PayoutDetailsIn = {
  type: 'bank',
  holderName: 'Grace Hopper',
  country: 'DE',
  currency: 'EUR',
  iban: 'DE89370400440532013000',
};
const keyring = createKeyring(ROOT_KEY);
let service: TestService;
let here: TestProject;
let beside: TestProject;
let partnerId: string;
/** Who the Partner is in each of the two Projects. */
let participantIds: string[];
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  here = await service.newProject();
  const made = await service.call('POST', '/v1/projects', {
    as: 'operator',
    body: { workspaceId: here.workspaceId, name: 'Second', environment: 'sandbox' },
  });
  beside = { ...here, projectId: made.body.data.id };
  const one = await becomePartner(service, here, EMAIL);
  const two = await becomePartner(service, beside, EMAIL);
  expect(two.partnerId).toBe(one.partnerId);
  partnerId = one.partnerId;
  participantIds = [one.participantId, two.participantId];
});
afterAll(() => service.close());

const deps = () => ({
  database: service.database,
  clock: service.clock,
  keyring,
  newId: service.dispatchDeps.newId,
});
const request = {
  actor: { type: 'system', id: 'partner-page' },
  requestId: 'req_test',
  ip: null,
  idempotency: null,
} as const;
const save = (input: PayoutDetailsIn) => savePartnerDetails(deps(), request, partnerId, input);
const show = () => showPartnerDetails(deps(), partnerId);
const paidTo = async (project: TestProject) => {
  const found = await findPayoutDetails(service.database.reads, project.projectId, participantIds, {
    keyring,
    now: service.clock.now,
  });
  return participantIds.map((id) => found.get(id)?.label ?? null);
};
const erase = (project: TestProject, id = '') =>
  service.call('DELETE', `/v1/participants/${id}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
const count = async () =>
  (
    await service.database.reads.query(`select 1 from payout_details where owner_id = $1`, [
      partnerId,
    ])
  ).length;

test('a Partner’s details serve all its Projects, and are shown masked (D-PAY-5)', async () => {
  expect(await show()).toMatchObject({ configured: false });
  expect(await save(bank)).toMatchObject({ label: 'DE•• •••• 3000', status: 'active' });
  expect(await show()).toMatchObject({ label: 'DE•• •••• 3000', status: 'active' });
  expect(await paidTo(here)).toEqual(['DE•• •••• 3000', null]);
  expect(await paidTo(beside)).toEqual([null, 'DE•• •••• 3000']);
});

test('a Partner’s change waits by the real time', async () => {
  await save(bank);
  expect((await save({ type: 'wise', email: EMAIL })).status).toBe('cooling_down');
  service.clock.advance(DAY_MS - 1);
  expect(await paidTo(here)).toEqual(['DE•• •••• 3000', null]);
  service.clock.advance(1);
  expect(await paidTo(here)).toEqual(['g•••@example.com', null]);
  expect((await show()).status).toBe('active');
});

test('bad details of a Partner are refused, an account at Stripe too', async () => {
  for (const input of [{ ...bank, iban: 'DE00' }, { type: 'stripe_connect' as const }]) {
    await expect(save(input)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  }
  expect(await count()).toBe(0);
});

test('saves at once wait for each other: one is in use, one waits, and the others are gone', async () => {
  const many = Array.from({ length: 30 }, (_, n) => ({
    type: 'wise' as const,
    email: `grace${n}@example.com`,
  }));
  await Promise.all(many.map(save));
  const rows = await service.database.reads.query<{ usedFrom: string; usedUntil: string | null }>(
    `select used_from as "usedFrom", used_until as "usedUntil" from payout_details
     where owner_id = $1 order by used_from`,
    [partnerId],
  );
  const later = new Date(service.clock.nowMs() + DAY_MS).toISOString();
  expect(rows).toEqual([
    { usedFrom: service.clock.now, usedUntil: later },
    { usedFrom: later, usedUntil: null },
  ]);
});

test('the audit log of the Workspace tells that they were saved', async () => {
  await save(bank);
  const { body } = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: here.workspaceId },
  });
  expect(body.data[0]).toMatchObject({
    action: 'payout_details.save',
    projectId: null,
    targetType: 'partner',
    targetId: partnerId,
    changes: { type: 'bank' },
  });
});

test('they go with the Partner, not with its participant in one of several Projects (D-PART-5)', async () => {
  await save(bank);
  expect((await erase(here, participantIds[0])).status).toBe(200);
  expect(await paidTo(here)).toEqual([null, null]);
  expect(await paidTo(beside)).toEqual([null, 'DE•• •••• 3000']);
  expect((await erase(beside, participantIds[1])).status).toBe(200);
  expect(await count()).toBe(0);
  await expect(save(bank)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
