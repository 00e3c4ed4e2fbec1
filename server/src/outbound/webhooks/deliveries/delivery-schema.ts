import Type, { type Static } from 'typebox';
import { EVENT_TYPES } from '../../../platform/feed/writer/project-write.ts';
import { cursorQuery } from '../../../platform/http/routes/paging.ts';
import { Closed, IdText, InstantOut, Nullable, OneOf, Opt } from '../../../platform/kit/schema.ts';
import { WebhookFailure } from '../endpoints/endpoint-schema.ts';
import { ANSWER_BYTES_MAX } from '../sender/exchange.ts';
import { ATTEMPT_OUTCOMES } from './delivery.ts';
import { DELIVERY_STATUSES } from './delivery-status.ts';

/** How many attempts of a delivery are shown with their responses. */
export const ATTEMPTS_SHOWN = 100;
const EVENT_IDS_MAX = 100;

const attemptFields = {
  startedAt: InstantOut,
  outcome: OneOf(ATTEMPT_OUTCOMES, {
    description: 'What became of the delivery: `retrying` if there was to be another attempt.',
  }),
  responseStatus: Nullable(Type.Integer({ description: 'Null when there was no answer.' })),
  latencyMs: Type.Integer({ description: 'To the status line, or to the failure.' }),
  failure: Type.Union([WebhookFailure, Type.Null()], {
    description: 'Why there was no answer; null when there was one, whatever its status.',
  }),
};

const deliveryFields = {
  eventId: Type.String(),
  eventType: OneOf(EVENT_TYPES),
  occurredAt: InstantOut,
  status: OneOf(DELIVERY_STATUSES, {
    description:
      '`failed`: given up after the last attempt. `dropped`: it had waited for longer than the retry schedule when its disabled endpoint was enabled again.',
  }),
  attemptCount: Type.Integer({ description: 'All that the history has, replays included.' }),
  isSending: Type.Boolean({ description: 'Whether it is being sent at this moment.' }),
  nextAttemptAt: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'What a retry waits for. Null when it is due at once, is being sent, waits for nothing, or the endpoint is disabled.',
    }),
  ),
  lastAttempt: Nullable(Type.Object(attemptFields, { title: 'WebhookAttemptSummary' })),
};

export const Delivery = Type.Object(deliveryFields, { title: 'WebhookDelivery' });
export type Delivery = Static<typeof Delivery>;

const Attempt = Type.Object(
  {
    id: Type.String(),
    number: Type.Integer({ description: 'From 1, the oldest that the history has.' }),
    ...attemptFields,
    responseBody: Nullable(
      Type.String({
        description: `The first ${ANSWER_BYTES_MAX / 1024} KiB of the answer, as text.`,
      }),
    ),
  },
  { title: 'WebhookAttempt' },
);
export type Attempt = Static<typeof Attempt>;

export const DeliveryWithAttempts = Type.Object(
  {
    ...deliveryFields,
    attempts: Type.Array(Attempt, {
      description: `The newest ${ATTEMPTS_SHOWN}, in the order they were made.`,
    }),
  },
  { title: 'WebhookDeliveryWithAttempts' },
);
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;

export const ListDeliveries = Type.Object({
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  eventId: Type.Optional(IdText()),
  ...cursorQuery,
});
export type ListDeliveries = Static<typeof ListDeliveries>;

export const Replay = Closed({
  eventIds: Opt(
    Type.Array(IdText(), {
      minItems: 1,
      maxItems: EVENT_IDS_MAX,
      uniqueItems: true,
      description: 'Events to send, whether the endpoint subscribes to their types or not.',
    }),
  ),
  since: Opt(
    Type.String({
      format: 'date-time',
      description: 'Send every event from then on, by its `occurredAt`, that it subscribes to.',
    }),
  ),
});
export type Replay = Static<typeof Replay>;
