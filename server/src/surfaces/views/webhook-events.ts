import Type from 'typebox';
import { ATTEMPTS_MAX } from '../../outbound/webhooks/queue/schedule.ts';
import { sampleData } from '../../outbound/webhooks/sample-data.ts';
import { DEADLINE_MS } from '../../outbound/webhooks/sender/send-request.ts';
import type { SignatureHeaders } from '../../outbound/webhooks/sender/sign.ts';
import { API_VERSIONS } from '../../platform/feed/api-versions.ts';
import { EventEnvelope } from '../../platform/feed/schema.ts';
import { EVENT_TYPES, type FeedEventType } from '../../platform/feed/writer/project-write.ts';
import type { DescribedWebhook } from '../../platform/http/routes/openapi.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { EVENT_DATA } from './event-data.ts';

/** When an event of each type is sent. */
export const EVENT_MEANINGS: Readonly<Record<FeedEventType, string>> = {
  'participant.created': 'A participant was created, by any kind of call.',
  'referral.created':
    'A referral was bound between a referrer and a referee. It never changes afterwards.',
  'event.recorded':
    'A signup, a purchase or a custom Event was saved, and its attribution was decided.',
  'reward.earned':
    'A participant earned a Reward. Also sent when a Reward that was voided before its grant, for a refund or a lost milestone, is due again. If your product delivers it, grant it now.',
  'reward.voided': 'A Reward was voided. Do not grant it, or take it back if you already have.',
  'reward.restored':
    'A granted Reward that was voided for a refund is valid again. Give it back if you took it.',
  'reward.fulfilled': 'A Reward reached its beneficiary.',
  'reward.revoked': 'A granted Reward that was voided was taken back.',
  'payout.paid': 'A transfer was made.',
  'payout.failed': 'A transfer failed. Its Rewards wait for the next batch.',
  'payout.returned': 'A transfer was made and then returned.',
  'risk.review_opened':
    'The score of a referral reached the limit of the risk policy. Its Rewards wait for a decision. Sent only to endpoints that name this type.',
  'risk.review_decided':
    'A person approved or rejected a referral that was under review. Sent only to endpoints that name this type.',
};

const HEADERS: Readonly<Record<keyof SignatureHeaders, string>> = {
  'webhook-id': 'The `id` of the event, the same in every delivery.',
  'webhook-timestamp':
    'When this request was signed, in Unix seconds. Refuse a request whose time differs from your clock by more than five minutes.',
  'webhook-signature':
    'One or more signatures, separated by spaces. Each is `v1,` followed by the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with a secret of the endpoint. One matching signature is enough.',
};

const RECEIVED = 'The event was received and is not sent again.';
const GRANTED =
  'The event was received and is not sent again. If the endpoint’s `fulfillmentMode` is `on_delivery` and the Reward’s `delivery.method` is `operator` or `manual`, the response records the grant.';
const NOT_GRANTED = 'The event was received and is not sent again. No grant is recorded.';
const NOT_RECEIVED = `Any other status, including a redirect, or no response within ${DEADLINE_MS / 1_000} seconds triggers a retry, up to ${ATTEMPTS_MAX} attempts in total.`;

/** The schema of a whole event, by its type. */
const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [
    type,
    Type.Object(
      { ...EventEnvelope.properties, type: Type.Literal(type), data: EVENT_DATA[type] },
      { title: `${toName(type)}Event` },
    ),
  ]),
) as unknown as Readonly<Record<FeedEventType, typeof EventEnvelope>>;

/** The webhooks of a project's endpoints: one for each type of event. */
export const WEBHOOKS: readonly DescribedWebhook[] = EVENT_TYPES.map((type) => ({
  name: type,
  operationId: `on${toName(type)}`,
  summary: EVENT_MEANINGS[type],
  description: `\`data\` is shown in the newest version, \`${API_VERSIONS.newest}\`. Ignore unknown fields: new ones may be added.`,
  headers: HEADERS,
  body: EVENT_SCHEMAS[type],
  example: exampleEvent(type),
  answers:
    type === 'reward.earned'
      ? { '202': NOT_GRANTED, '2XX': GRANTED, default: NOT_RECEIVED }
      : { '2XX': RECEIVED, default: NOT_RECEIVED },
}));

/** An example event of a type, for people to read. */
export function exampleEvent(type: FeedEventType): Record<string, unknown> {
  const newId = ((prefix: string) => `${prefix}_01ka3m…`) as NewId;
  const projectId = newId('prj');
  const now = '2026-11-15T09:30:00.000Z';
  const event = {
    id: newId('wev'),
    type,
    apiVersion: API_VERSIONS.newest,
    occurredAt: now,
    projectId,
    environment: 'live',
    data: sampleData(type, { projectId, now, newId }),
  };
  return JSON.parse(renamePeople(JSON.stringify(event)));
}

/** Test events must not look like real ones; examples may. */
function renamePeople(text: string): string {
  return text
    .replaceAll('goodword-test-referrer', '42')
    .replaceAll('goodword-test-referee', '43')
    .replaceAll('goodword-test-', '');
}

/** `reward.earned` as a name in code: `RewardEarned`. */
function toName(type: FeedEventType): string {
  return type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
