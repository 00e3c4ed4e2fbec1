import Type, { type Static } from 'typebox';
import { EVENT_TYPES } from '../../../platform/feed/writer/project-write.ts';
import { cursorQuery } from '../../../platform/http/routes/paging.ts';
import {
  Closed,
  IdOf,
  IdText,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
} from '../../../platform/kit/schema.ts';
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
    description:
      'State of the delivery after this attempt; `retrying` if another attempt was scheduled.',
  }),
  responseStatus: Nullable(Type.Integer({ description: 'Null if there was no response.' })),
  latencyMs: Type.Integer({ description: 'Time until the status line, or until the failure.' }),
  failure: Type.Union([WebhookFailure, Type.Null()], {
    description: 'Why there was no response. Null if there was one, with any status.',
  }),
};

const deliveryFields = {
  eventId: Type.String(),
  eventType: OneOf(EVENT_TYPES),
  occurredAt: InstantOut,
  status: OneOf(DELIVERY_STATUSES, {
    description:
      '`failed`: the last attempt failed. `dropped`: when its disabled endpoint was enabled again, it had waited longer than the retry schedule lasts.',
  }),
  attemptCount: Type.Integer({ description: 'All attempts in the history, including replays.' }),
  isSending: Type.Boolean({ description: 'Whether it is being sent right now.' }),
  nextAttemptAt: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'When the next retry is due. Null if the delivery is due now, is being sent, has ended, or its endpoint is disabled.',
    }),
  ),
  lastAttempt: Nullable(Type.Object(attemptFields, { title: 'WebhookAttemptSummary' })),
};

export const Delivery = Type.Object(deliveryFields, { title: 'WebhookDelivery' });
export type Delivery = Static<typeof Delivery>;

const Attempt = Type.Object(
  {
    id: Type.String(),
    number: Type.Integer({ description: 'Counted from 1, the oldest attempt in the history.' }),
    ...attemptFields,
    responseBody: Nullable(
      Type.String({
        description: `The first ${ANSWER_BYTES_MAX / 1024} KiB of the response, as text.`,
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
      description: `The newest ${ATTEMPTS_SHOWN} attempts, oldest first.`,
    }),
  },
  { title: 'WebhookDeliveryWithAttempts' },
);
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;

export const ListDeliveries = Type.Object({
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  eventId: Type.Optional(IdOf('webhook event')),
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
      description: 'Send every subscribed event whose `occurredAt` is at or after this time.',
    }),
  ),
});
export type Replay = Static<typeof Replay>;
