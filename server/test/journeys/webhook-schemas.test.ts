import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiDocument, Schema, Webhook } from '../../src/surfaces/docs/api/api-document.ts';
import { type Answer, closeObjects, openService, type TestService } from '../harness.ts';
import { openReviewOf } from '../open-review.ts';
import { openPayoutShop } from '../payout-shop.ts';
import { type Catcher, catchWebhooks } from '../webhook-catcher.ts';

const document: ApiDocument = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
);

let service: TestService;
let catcher: Catcher;
beforeAll(async () => {
  service = await openService();
  catcher = await catchWebhooks();
});
afterAll(async () => {
  await service.close();
  await catcher.close();
});

const ok = (answer: Answer): Answer => {
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer;
};

/** The schema of a body, with what it refers to in place. */
function bodyOf({ post }: Webhook): TSchema {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (value === null || typeof value !== 'object') return value;
    const { $ref } = value as Schema;
    if ($ref !== undefined)
      return inline(document.components.schemas[$ref.split('/').at(-1) ?? '']);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inline(one)]));
  };
  return inline(post.requestBody.content['application/json'].schema) as TSchema;
}

/** Makes at least one event of every type. */
async function doEverything() {
  const shop = await openPayoutShop(service);
  await shop.addRule({
    benefitKind: 'credit',
    calculation: 'percentage',
    rateBps: 1_000,
    roundingPolicy: 'half_up',
  });
  await shop.addRule(
    { benefitKind: 'custom', quantity: 2, unit: { key: 'gb', name: 'GB', namePlural: 'GB' } },
    'referee',
  );
  ok(
    await shop.post('/v1/track/events', {
      sourceNamespaceId: shop.sourceNamespaceId,
      type: 'custom_upload',
      sourceEventId: 'upload',
      participant: { kind: 'group', externalId: 'team' },
      actor: { kind: 'individual', externalId: 'eve' },
      properties: { files: 3, isPublic: false, note: null, name: 'x' },
    }),
  );
  const granted = await shop.buy('granted');
  const externalReference = 'ledger';
  ok(await shop.post(`/v1/rewards/${granted.credit}/fulfillment`, { externalReference }));
  await shop.voidReward(granted.credit as string);
  ok(await shop.post(`/v1/rewards/${granted.credit}/revocation`, { externalReference }));
  const paid = (await shop.submit()).payouts[0].id;
  ok(await shop.result(paid, 'paid', { reference: 'T-1' }));
  ok(await shop.result(paid, 'returned', { failureReason: 'account_closed' }));
  const failed = (await shop.submit()).payouts[0].id;
  const failure = { failureReason: 'invalid_details', failureMessage: 'No such account.' };
  ok(await shop.result(failed, 'failed', failure));
  await shop.earn('refunded');
  await shop.refund('refunded');
  const restored = await shop.buy('restored');
  ok(await shop.post(`/v1/rewards/${restored.custom}/fulfillment`, { externalReference }));
  await shop.refund('restored');
  await shop.restore('restored');
  const review = await openReviewOf(service, shop);
  ok(await shop.post(`/v1/risk-reviews/${review}/decision`, { decision: 'approve' }));
  return shop;
}

test('what receivers get is what openapi.json says, for every type of event', async () => {
  const shop = await doEverything();
  const made = await shop.post('/v1/webhook-endpoints', {
    url: catcher.url,
    fulfillmentMode: 'explicit',
    eventTypes: Object.keys(document.webhooks),
  });
  const since = '2026-01-01T00:00:00Z';
  const replay = `/v1/webhook-endpoints/${ok(made).body.endpoint.id}/replay`;
  ok(await shop.post(replay, { since }));
  while ((await service.dispatch()) > 0);
  const sent = catcher.caught.map(({ text, headers }) => ({ headers, event: JSON.parse(text) }));
  expect(sent.length).toBe((await shop.feed()).length);
  expect([...new Set(sent.map(({ event }) => event.type))].toSorted()).toEqual(
    Object.keys(document.webhooks).toSorted(),
  );
  for (const [type, webhook] of Object.entries(document.webhooks)) {
    const check = Compile(closeObjects(bodyOf(webhook)));
    const names = webhook.post.parameters.map(({ name }) => name);
    for (const { event, headers } of sent.filter((one) => one.event.type === type)) {
      expect([event, check.Errors(event)]).toEqual([event, []]);
      expect(names.filter((name) => headers[name] === undefined)).toEqual([]);
      expect(headers['webhook-id']).toBe(event.id);
    }
  }
});
